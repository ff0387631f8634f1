"""The page of the lesson in pages/lessons/less."""

from pages.lessons.less import LESSON

LESSON.show()
