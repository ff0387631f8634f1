"""The first screen: the name, one sentence, the trained model writing into a prompt of your own, and three ways on."""

from pages.lessons.start.steps import first_screen

first_screen()
