from images.budget import budget


def thumbnail(image):
    budget.reserve(20)
    small = {"width": image["width"] // 10, "height": image["height"] // 10}
    budget.free(20)
    return small
