from images.crop import crop
from images.resize import resize
from images.thumbnail import thumbnail


def run(kind, image):
    if kind == "resize":
        return resize(image, 400)
    if kind == "crop":
        return crop(image)
    return thumbnail(image)
