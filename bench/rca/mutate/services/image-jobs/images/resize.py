from images.budget import budget


def resize(image, width):
    budget.reserve(40)
    try:
        if width > image["width"]:
            return image
        return {**image, "width": width}
    finally:
        budget.free(40)
