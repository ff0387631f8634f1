"""The first screen: the name, one sentence, the trained model writing into a prompt of your own, and three ways on."""

from pages.lessons.start.steps import first_screen
from pages.parts.lesson.lesson import Screen

LESSON = Screen("Token by Token", icon="play_circle", show=first_screen)
