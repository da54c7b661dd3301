from images.budget import budget


def crop(image):
    budget.reserve(30)
    try:
        side = min(image["width"], image["height"])
        return {"width": side, "height": side}
    finally:
        budget.free(30)
