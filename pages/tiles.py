"""stub"""
from pages.lessons.less import steps
from pages.parts.lesson.lesson import lesson
lesson("q", steps.toy, given=steps.given)
