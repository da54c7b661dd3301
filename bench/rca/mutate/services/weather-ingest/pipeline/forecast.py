import math

DIRECTIONS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]


def wind_chill(temperature, speed):
    kmh = speed * 3.6
    if temperature > 10 or kmh < 4.8:
        return temperature
    factor = math.pow(kmh, 0.16)
    return 13.12 + 0.6215 * temperature - 11.37 * factor + 0.3965 * temperature * factor


def outlook(summary):
    speed, direction = summary["wind"]
    degrees = DIRECTIONS.index(direction) * 45
    feels = wind_chill(summary["low"], speed)
    if feels > summary["high"] + 1:
        raise ArithmeticError(f"feels like {feels:.1f} at {summary['low']} degrees")
    trend = "warmer" if summary["change"] > 0.5 else "colder" if summary["change"] < -0.5 else "steady"
    return {"feels": round(feels, 1), "degrees": degrees, "trend": trend, "snow": summary["mean"] < 1 and (summary["humidity"] or 0) > 80}
