def days_of(readings_by_meter):
    days = set()
    for readings in readings_by_meter.values():
        days.update(reading.at.date() for reading in readings)
    return [day.isoformat() for day in sorted(days)]
