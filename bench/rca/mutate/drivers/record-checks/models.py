import attr
import attrs
from marshmallow import EXCLUDE, Schema, fields, post_load, pre_load, validate, validates_schema


@attrs.define(order=True, frozen=True)
class Point:
    x: int = attrs.field(validator=attrs.validators.instance_of(int))
    y: int = attrs.field(default=0, converter=int)

    def moved(self, by):
        return attrs.evolve(self, x=self.x + by)


@attr.s(auto_attribs=True, kw_only=True)
class Line:
    sku: str
    count: int = attr.ib(validator=[attr.validators.ge(1), attr.validators.lt(100)])
    price: float = 0.0
    total: float = attr.ib(init=False)

    def __attrs_post_init__(self):
        self.total = self.count * self.price


@attrs.define
class Order:
    id: int
    mail: str
    lines: list = attrs.Factory(list)
    address: dict = attrs.field(factory=dict, repr=False)
    on: object = None


class LineSchema(Schema):
    sku = fields.String(required=True, validate=validate.Length(min=2))
    count = fields.Integer(strict=True, validate=validate.Range(min=1))
    price = fields.Decimal(places=2, load_default=0)
    total = fields.Float(dump_only=True)

    @post_load
    def make(self, data, **_):
        return Line(**{**data, "price": float(data["price"])})


class AddressSchema(Schema):
    city = fields.Str()
    zip = fields.Str(validate=validate.Regexp(r"^\d{4}$"))


class OrderSchema(Schema):
    class Meta:
        unknown = EXCLUDE

    id = fields.Int()
    mail = fields.Email()
    lines = fields.List(fields.Nested(LineSchema))
    address = fields.Nested(AddressSchema(partial=True))
    on = fields.Date(format="iso")

    @pre_load
    def lower(self, data, **_):
        return {**data, "mail": data["mail"].lower()}

    @validates_schema
    def has_lines(self, data, **_):
        if not data["lines"]:
            raise ValueError("no lines")

    @post_load
    def make(self, data, **_):
        return Order(**data)


def load_orders(records):
    orders = OrderSchema(many=True).load(records)
    again = OrderSchema(many=True, exclude=["on"]).dump(orders)
    if attrs.asdict(orders[0])["lines"][0]["total"] != again[0]["lines"][0]["total"]:
        raise ValueError("the total changed")
    return orders
