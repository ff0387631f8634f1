"""The language that the bundled model was trained on: short stories out of a grammar of our own, so there is no licence to ask.

A story is up to a dozen sentences about people, places, food, animals and the weather. It is consistent: who has a red kite at
its beginning still has it at its end, and once a season is named the weather keeps to it. Some sentences are lists of random
words said twice; nothing but looking back can predict their second half, and that is what makes induction heads form.
"""

# ruff: noqa: SIM905 - a list of words is easiest to read and to change as words
import random

BOS, UNK = "<bos>", "<unk>"

WOMEN = "Anna Clara Emma Eva Ida Julia Lena Lisa Maria Nina Sara Zoe".split()
MEN = "Adam Ben David Felix Jonas Leo Max Noah Omar Paul Sam Tom".split()
CITIES = "Athens Berlin Boston Cairo Dublin Lima London Madrid Oslo Paris Prague Rome Sydney Tokyo Vienna Warsaw".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
COLOURS = "red blue green yellow white black brown orange purple pink".split()
THINGS = "kite boat lamp chair bike book ball hat coat cup clock bag drum key box car table guitar".split()
FOODS = "soup bread pizza rice cheese salad pasta fish cake honey chocolate curry stew pie".split()
FRUITS = "apple banana cherry grape lemon melon peach pear plum".split()
DRINKS = "tea coffee milk juice water".split()
ANIMALS = "cat dog bird horse cow duck fox frog goat lion mouse rabbit sheep wolf".split()
IRREGULAR = {"mouse": "mice", "sheep": "sheep", "wolf": "wolves", "box": "boxes", "fox": "foxes", "cherry": "cherries",
             "peach": "peaches"}  # fmt: skip
PLACES = "market park school garden station beach river forest library museum kitchen street bridge lake".split()
VERBS = {"sleeps": "sleep", "runs": "run", "plays": "play", "sits": "sit", "waits": "wait", "sings": "sing", "walks": "walk",
         "eats": "eat"}  # fmt: skip
FEELINGS = "happy sad tired hungry thirsty busy late early ready angry proud quiet".split()
NUMBERS = "two three four five six seven eight nine ten".split()

SEASON_WEATHER = {
    "winter": "cold snowy icy grey".split(),
    "spring": "mild fresh rainy breezy".split(),
    "summer": "hot sunny bright dry".split(),
    "autumn": "windy foggy wet grey".split(),
}
SEASON_MONTHS = {
    "winter": ["December", "January", "February"],
    "spring": ["March", "April", "May"],
    "summer": ["June", "July", "August"],
    "autumn": ["September", "October", "November"],
}
ANY_WEATHER = {"nice": 40, "warm": 32, "sunny": 10, "cold": 7, "windy": 4, "rainy": 4, "grey": 3}
SAVOURY = "delicious tasty salty spicy fresh hot".split()
SWEET = "delicious tasty sweet fresh sour ripe".split()

SMALL_WORDS = """The the A a an This this These these That It it He he She she They they We we I you You My my Your your His his
Her her is are was were am has have had do does did not n't 's 're 'm 'll will be can see sees go goes went like likes live lives
buy buys in In on On at At to from with and And but because so very too also now there here today Today Yesterday Tomorrow
weather season month day night morning evening Who Where What name next near There under home big small old new good bad
Yes No please thank hello Hello . , ? ! always often never many some friend friends sister brother teacher house door window
sky sun rain snow wind time year week again then Then when When""".split()


def plural(noun: str) -> str:
    """The plural of one of the nouns above."""
    return IRREGULAR.get(noun, noun + "s")


def article(word: str) -> str:
    """The indefinite article before a word."""
    return "an" if word[0] in "aeiou" else "a"


def vocabulary() -> list[str]:
    """Every word of the language in the order of its ids: the two specials first."""
    groups = [SMALL_WORDS, WOMEN, MEN, CITIES, DAYS, COLOURS, THINGS, map(plural, THINGS), FOODS, FRUITS, map(plural, FRUITS),
              DRINKS, ANIMALS, map(plural, ANIMALS), PLACES, VERBS, VERBS.values(), FEELINGS, NUMBERS, SEASON_WEATHER,
              *SEASON_MONTHS.values(), *SEASON_WEATHER.values(), ANY_WEATHER, SAVOURY, SWEET]  # fmt: skip
    return [BOS, UNK, *dict.fromkeys(word for group in groups for word in group)]


class Story:
    """One story in the making: a source of chance, and all that has been said and must stay true."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.season = None
        self.has, self.lives, self.likes = {}, {}, {}
        self.people = rng.sample(WOMEN + MEN, rng.randint(2, 4))

    def pick(self, choices):
        """One of a list, or one of a mapping's keys by its numbers."""
        if isinstance(choices, dict):
            return self.rng.choices(list(choices), list(choices.values()))[0]
        return self.rng.choice(choices)

    def sentence(self) -> list[str]:
        """The next sentence, of a kind drawn by the shares below."""
        kinds = {weather: 20, seasonal: 12, taste: 12, fact: 12, recall: 30, animals: 8, people: 18, talk: 6, echo: 34}
        return self.pick(kinds)(self)


def season(story: Story) -> list[str]:
    """Names the season, or a month of it. The first to be named holds for the rest of the story."""
    story.season = story.season or story.pick(list(SEASON_WEATHER))
    name, month = story.season, story.pick(SEASON_MONTHS[story.season])
    return story.pick([
        ["It", "is", name, "in", story.pick(CITIES), "."],
        ["It", "is", name, "."], ["It", "'s", name, "now", "."], ["The", "season", "is", name, "."],
        ["The", "month", "is", month, "."], ["It", "is", month, "in", story.pick(CITIES), "."],
    ])  # fmt: skip


def seasonal(story: Story) -> list[str]:
    """A season and its weather, with or without something else between them."""
    return season(story) + (story.pick([fact, people, talk])(story) if story.rng.random() < 0.4 else []) + weather(story)


def weather(story: Story) -> list[str]:
    """The weather: of the season where one has been named, otherwise mostly nice or warm."""
    word = story.pick(SEASON_WEATHER[story.season] if story.season else ANY_WEATHER)
    return story.pick([
        ["Today", "'s", "weather", "is", "so", word, "."], ["Today", "weather", "is", "so", word, "."],
        ["Today", "'s", "weather", "is", "very", word, "."], ["The", "weather", "is", "so", word, "today", "."],
        ["The", "weather", "in", story.pick(CITIES), "is", "so", word, "."], ["It", "is", "so", word, "today", "."],
        ["Today", "it", "is", "so", word, "in", story.pick(CITIES), "."],
        ["It", "was", "very", word, "on", story.pick(DAYS), "."],
        ["Yesterday", "'s", "weather", "was", "so", word, "."], ["Tomorrow", "'s", "weather", "will", "be", word, "."],
    ])  # fmt: skip


def taste(story: Story) -> list[str]:
    """How something tastes: sweet words for fruit, savoury ones for dishes."""
    if story.rng.random() < 0.4:
        fruit, word = story.pick(FRUITS), story.pick(SWEET)
        return story.pick([
            ["The", plural(fruit), "are", "so", word, "."], ["These", plural(fruit), "are", "very", word, "."],
            ["The", fruit, "is", "so", word, "."], ["The", plural(fruit), "from", story.pick(CITIES), "are", "so", word, "."],
        ])  # fmt: skip
    food, word, who = story.pick(FOODS + DRINKS), story.pick(SAVOURY), story.pick(story.people)
    return story.pick([
        ["The", food, "is", "so", word, "."], ["This", food, "is", "very", word, "."], ["The", food, "is", "n't", word, "."],
        ["The", food, "in", story.pick(CITIES), "is", "so", word, "."], [who, "'s", food, "is", "so", word, "."],
        [who, "likes", "the", food, "because", "it", "is", "so", word, "."],
    ])  # fmt: skip


def fact(story: Story) -> list[str]:
    """Who has what, lives where, likes what. Said once it stays true, and is said again."""
    who = story.pick(story.people)
    tell = story.pick([possession, home, liking])
    return tell(story, who)


def recall(story: Story) -> list[str]:
    """What two or three people have, or where they live, and then some of it again: as it was told, or asked for."""
    kind = story.pick([possession, possession, home])
    some = story.rng.sample(story.people, min(len(story.people), story.rng.randint(2, 3)))
    again = [question if story.rng.random() < 0.3 else kind for _ in range(story.rng.randint(1, 3))]
    told = [kind(story, who) for who in some] + [tell(story, story.pick(some)) for tell in again]
    return [word for words in told for word in words]


def possession(story: Story, who: str) -> list[str]:
    """Who has what: one thing each, all different."""
    taken = {thing for _, thing in story.has.values()}
    new = (story.pick(COLOURS), story.pick([thing for thing in THINGS if thing not in taken]))
    colour, thing = story.has.setdefault(who, new)
    return [who, "has", article(colour), colour, thing, "."]


def home(story: Story, who: str) -> list[str]:
    """Who lives where."""
    return [who, "lives", "in", story.lives.setdefault(who, story.pick(CITIES)), "."]


def liking(story: Story, who: str) -> list[str]:
    """Who likes what."""
    return [who, "likes", story.likes.setdefault(who, story.pick(FOODS + DRINKS)), "."]


def question(story: Story, who: str) -> list[str]:
    """Where somebody lives, asked and answered; what else has been told is told again."""
    if who not in story.lives:
        return possession(story, who)
    return ["Where", "does", who, "live", "?", "In", story.lives[who], "."]


def animals(story: Story) -> list[str]:
    """One animal does, several do: the verb agrees with the number."""
    animal, verb, place = story.pick(ANIMALS), story.pick(list(VERBS)), story.pick(PLACES)
    number, size = story.pick(NUMBERS), story.pick(["big", "small", "old", *COLOURS])
    return story.pick([
        ["The", size, animal, verb, "in", "the", place, "."], ["The", animal, verb, "near", "the", place, "."],
        ["The", number, plural(animal), VERBS[verb], "in", "the", place, "."],
        ["There", "are", number, plural(animal), "in", "the", place, "."],
        ["The", plural(animal), "do", "n't", VERBS[verb], "here", "."], ["The", animal, "does", "n't", VERBS[verb], "here", "."],
    ])  # fmt: skip


def people(story: Story) -> list[str]:
    """What somebody does or feels; the pronoun that follows agrees with the name."""
    who, feeling, day, place = story.pick(story.people), story.pick(FEELINGS), story.pick(DAYS), story.pick(PLACES)
    they = "She" if who in WOMEN else "He"
    return story.pick([
        [who, "is", feeling, "."], [who, "is", "so", feeling, "today", "."], [who, "is", "n't", feeling, "."],
        [who, "goes", "to", "the", place, "on", day, "."], ["On", day, who, "went", "to", "the", place, "."],
        [who, "is", feeling, ".", they, "is", "at", "the", place, "."], [who, "is", "here", ".", they, "is", "so", feeling, "."],
        [who, "buys", "some", story.pick(FOODS), "at", "the", "market", ".", they, "is", "hungry", "."],
        [who, "sees", story.pick(NUMBERS), plural(story.pick(THINGS)), "."],
    ])  # fmt: skip


def talk(story: Story) -> list[str]:
    """Small talk, with its contractions."""
    feeling, friend = story.pick(FEELINGS), story.pick(story.people)
    return story.pick([
        ["I", "'m", feeling, "."], ["You", "'re", feeling, "."], ["We", "'re", "so", feeling, "today", "."],
        ["They", "are", "n't", feeling, "."], ["I", "do", "n't", "like", story.pick(FOODS), "."],
        ["Hello", ",", "my", "name", "is", friend, "."], ["We", "'ll", "see", friend, "on", story.pick(DAYS), "."],
        ["My", story.pick(["friend", "sister", "brother", "teacher"]), "lives", "in", story.pick(CITIES), "."],
        ["What", "is", "your", "name", "?"], ["He", "is", "my", "friend", "."], ["Yes", ",", "thank", "you", "."],
    ])  # fmt: skip


def echo(story: Story) -> list[str]:
    """Random words said two to four times: only a look back predicts the second time."""
    words = story.rng.sample(vocabulary()[2:], story.rng.randint(3, 14))
    return words * story.pick([2, 3, 4])


def story(rng: random.Random, longest: int) -> list[str]:
    """A story of at most `longest` words, its <bos> included. One in twelve has a word replaced by <unk>."""
    teller, words = Story(rng), [BOS]
    for _ in range(rng.choice([1, 1, 2, 3, 4, 6, 9, 14, 20])):
        words += teller.sentence()
    words = words[:longest]
    if rng.random() < 1 / 12:
        words[rng.randrange(1, len(words))] = UNK
    return words
