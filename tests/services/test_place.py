"""Boxes on the map: inside, around, in quarters, across the 180th meridian; and places that the tables take."""

from __future__ import annotations

from dataclasses import asdict
from math import isclose
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session

from models import LocalBusiness, Place, Tenant
from models.connect import connect_engine
from services import google_place, osm_place
from services.place import COLUMNS, Area, FoundPlace, distance_m

AUSTIN = Area(30.0987, -97.9384, 30.5169, -97.5614)
FIJI = Area(-21.0, 176.0, -12.0, -178.0)

latitudes = st.floats(-89.9, 89.9)
longitudes = st.floats(-180, 180)


@st.composite
def areas(draw: st.DrawFn) -> Area:
    south = draw(st.floats(-90, 89))
    west = draw(longitudes)
    width = draw(st.floats(0.01, 359))
    east = west + width if west + width <= 180 else west + width - 360
    return Area(south, west, min(90.0, south + draw(st.floats(0.01, 90))), east)


def test_a_point_is_inside_or_not() -> None:
    assert AUSTIN.contains(30.3, -97.75)
    assert AUSTIN.contains(AUSTIN.south, AUSTIN.west)
    assert not AUSTIN.contains(30.6, -97.75)
    assert not AUSTIN.contains(30.3, -97.5)


def test_a_box_may_cross_the_180th_meridian() -> None:
    assert FIJI.width == 6
    assert FIJI.centre == (-16.5, 179.0)
    assert FIJI.contains(-17, 178)
    assert FIJI.contains(-17, -179)
    assert not FIJI.contains(-17, 0)
    assert FIJI.parts() == (Area(-21, 176, -12, 180), Area(-21, -180, -12, -178))
    assert AUSTIN.parts() == (AUSTIN,)


def test_a_part_without_width_is_left_out() -> None:
    assert Area(0, 180, 1, -170).parts() == (Area(0, -180, 1, -170),)


@pytest.mark.parametrize(
    "edges",
    [
        (1, 0, 1, 1), (2, 0, 1, 1), (0, 0, 91, 1), (-91, 0, 1, 1), (0, -181, 1, 1), (0, 0, 1, 181), (0, 5, 1, 5),
        (0, 180, 1, -180), (float("nan"), 0, 1, 1), (0, float("inf"), 1, 1),
    ],
)  # fmt: skip
def test_what_is_no_box_is_refused(edges: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="is no box"):
        Area(*edges)


@given(areas(), st.floats(0, 1), st.floats(0, 1))
def test_quarters_leave_nothing_out_and_add_nothing(area: Area, up: float, right: float) -> None:
    quarters = area.quarters()
    assert isclose(sum(quarter.share_of(area) for quarter in quarters), 1.0, abs_tol=1e-6)
    latitude = min(area.north, area.south + up * (area.north - area.south))
    longitude = area.west + right * area.width
    longitude = longitude if longitude <= 180 else longitude - 360
    if area.contains(latitude, longitude):
        assert any(quarter.contains(latitude, longitude) for quarter in quarters)
    for quarter in quarters:
        assert all(area.contains(*corner) for corner in ((quarter.south, quarter.west), (quarter.north, quarter.east)))


def test_a_share_counts_surface_not_degrees() -> None:
    whole = Area(0, 0, 60, 10)
    south, north = Area(0, 0, 30, 10), Area(30, 0, 60, 10)
    assert south.share_of(whole) > north.share_of(whole)
    assert isclose(south.share_of(whole) + north.share_of(whole), 1)
    assert whole.share_of(whole) == 1


@given(latitudes, longitudes, st.floats(1, 2_000_000), st.floats(0, 6.3))
def test_around_holds_the_whole_circle(latitude: float, longitude: float, radius: float, bearing: float) -> None:
    from math import asin, atan2, cos, degrees, radians, sin

    angle, here = radius * 0.999 / 6_371_009, radians(latitude)
    there = asin(sin(here) * cos(angle) + cos(here) * sin(angle) * cos(bearing))
    turn = atan2(sin(bearing) * sin(angle) * cos(here), cos(angle) - sin(here) * sin(there))
    at = (longitude + degrees(turn) + 180) % 360 - 180
    assert isclose(distance_m(latitude, longitude, degrees(there), at), radius * 0.999, rel_tol=1e-3, abs_tol=1)
    assert Area.around(latitude, longitude, radius).contains(degrees(there), at)


def test_around_is_no_larger_than_it_must_be() -> None:
    area = Area.around(30.3, -97.75, 10_000)
    assert isclose(distance_m(area.south, -97.75, area.north, -97.75), 20_000, rel_tol=1e-3)
    assert isclose(distance_m(30.3, area.west, 30.3, area.east), 20_000, rel_tol=1e-3)
    assert area.centre == pytest.approx((30.3, -97.75))


def test_around_a_pole_is_all_around() -> None:
    assert Area.around(89.99, 10, 100_000).width == 360


def test_distances() -> None:
    assert distance_m(0, 0, 0, 0) == 0
    assert isclose(distance_m(0, 179.5, 0, -179.5), distance_m(0, 0, 0, 1))
    assert isclose(distance_m(52.52, 13.405, 48.8566, 2.3522), 878_000, rel_tol=0.01)


HOSTILE = {
    "name": "Smile\x00 \u202eDental\ud800", "phone": "+1 (512) 555-0100\x00", "website": "https://a.example/\x00\n?q=\ud83d",
}  # fmt: skip


def hostile_places() -> list[FoundPlace]:
    """Places as strangers would write them to break a database."""
    google = {
        "id": "a" * 1024,
        "displayName": {"text": HOSTILE["name"] * 1_000},
        "internationalPhoneNumber": HOSTILE["phone"],
        "websiteUri": HOSTILE["website"],
        "postalAddress": {"regionCode": "us", "addressLines": ["\x00", "1 Main\x7f St"], "postalCode": "7" * 99},
        "rating": 4.96,
        "userRatingCount": 2**31 - 1,
        "utcOffsetMinutes": 840,
        "priceLevel": "PRICE_LEVEL_VERY_EXPENSIVE",
        "businessStatus": "FUTURE_OPENING",
        "types": ["\x00", "dentist", 5, None],
        "location": {"latitude": -90, "longitude": 180},
        "regularOpeningHours": {"periods": [{"open": {"day": 0}}]},
        "extra\x00": {"deep": ["\ud800", float("inf"), float("nan"), 10**300, 1e308, True]},
    }
    osm = {"type": "way", "id": 2**53, "center": {"lat": 1, "lon": 2}, "tags": {**HOSTILE, "addr:country": "us"}}
    read = [google_place.found_place(google), osm_place.found_place(osm)]
    return [place for place in read if place is not None]


def test_the_tables_take_what_strangers_write(db: str) -> None:
    places = hostile_places()
    assert len(places) == 2
    engine = connect_engine(db)
    with Session(engine) as session, session.begin():
        tenant: UUID = session.execute(select(Tenant.id)).scalar_one()
        for found in places:
            values = asdict(found)
            place = Place(
                tenant_id=tenant,
                provider="google",
                address=found.formatted_address,
                **{name: values[name] for name in values if name in Place.__table__.columns},
            )
            session.add(place)
            session.flush()
            facts = {name: values[name] for name in COLUMNS if values[name] is not None}
            session.add(LocalBusiness(tenant_id=tenant, place_id=place.id, **facts))
        session.flush()
        kept = session.execute(select(LocalBusiness).order_by(LocalBusiness.id)).scalars().all()
        assert [business.phone for business in kept] == ["+15125550100", "+15125550100"]
        assert kept[1].name == "Smile Dental"
    engine.dispose()
