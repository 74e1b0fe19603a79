"""The fields of a place: their shape, and the price tier that asking for one puts a call into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Shape: TypeAlias = "Mapping[str, Shape]"

IDS, ESSENTIALS, PRO, ENTERPRISE, ATMOSPHERE = TIERS = ("ids", "essentials", "pro", "enterprise", "atmosphere")


def _leaves(names: str) -> dict[str, Shape]:
    return {name: {} for name in names.split()}


_POINT = _leaves("latitude longitude")
_TEXT = _leaves("text languageCode")
_MOMENT = _leaves("day hour minute")
_HOURS: Shape = {
    "openNow": {},
    "periods": {"open": _MOMENT, "close": _MOMENT},
    "weekdayDescriptions": {},
    "nextOpenTime": {},
    "nextCloseTime": {},
}
_POSTAL = _leaves("regionCode languageCode postalCode administrativeArea locality addressLines")

# As the provider's documentation lists them for place details, March 2025. The fields that the sandbox has no value
# for are listed too: asking for them is right, and raises the price.
_BY_TIER: Mapping[str, Mapping[str, Shape]] = {
    IDS: _leaves("id name attributions photos movedPlace movedPlaceId"),
    ESSENTIALS: {
        "addressComponents": _leaves("longText shortText types languageCode"),
        "location": _POINT,
        "viewport": {"low": _POINT, "high": _POINT},
        "postalAddress": _POSTAL,
        **_leaves("adrFormatAddress formattedAddress plusCode shortFormattedAddress types"),
    },
    PRO: {
        "displayName": _TEXT,
        "primaryTypeDisplayName": _TEXT,
        **_leaves("accessibilityOptions businessStatus containingPlaces googleMapsLinks googleMapsUri"),
        **_leaves("iconBackgroundColor iconMaskBaseUri primaryType pureServiceAreaBusiness subDestinations timeZone"),
        **_leaves("utcOffsetMinutes"),
    },
    ENTERPRISE: {
        "currentOpeningHours": _HOURS,
        "regularOpeningHours": _HOURS,
        **_leaves("currentSecondaryOpeningHours internationalPhoneNumber nationalPhoneNumber priceLevel priceRange"),
        **_leaves("rating regularSecondaryOpeningHours userRatingCount websiteUri"),
    },
    ATMOSPHERE: {
        **_leaves("allowsDogs curbsidePickup delivery dineIn editorialSummary evChargeOptions fuelOptions"),
        **_leaves("generativeSummary goodForChildren goodForGroups goodForWatchingSports liveMusic menuForChildren"),
        **_leaves(
            "outdoorSeating parkingOptions paymentOptions reservable restroom reviews servesBeer servesBreakfast"
        ),
        **_leaves("servesBrunch servesCocktails servesCoffee servesDessert servesDinner servesLunch"),
        **_leaves("servesVegetarianFood servesWine takeout"),
    },
}

PLACE: Shape = {name: shape for fields in _BY_TIER.values() for name, shape in fields.items()}
SEARCH_ANSWER: Shape = {"places": PLACE, "nextPageToken": {}}

_DETAILS_TIER = {name: tier for tier, fields in _BY_TIER.items() for name in fields}
# A search knows no essentials, and photos are not free in it.
_SEARCH_TIER = {name: PRO if tier == ESSENTIALS or name == "photos" else tier for name, tier in _DETAILS_TIER.items()}


def details_tier(fields: Iterable[str]) -> str:
    """Name the tier of a details call: that of its dearest field."""
    return _dearest([_DETAILS_TIER[field] for field in fields])


def search_tier(fields: Iterable[str]) -> str:
    """Name the tier of a search: that of its dearest field."""
    return _dearest([_SEARCH_TIER[field] for field in fields])


def _dearest(tiers: Sequence[str]) -> str:
    return max(tiers, key=TIERS.index, default=IDS)
