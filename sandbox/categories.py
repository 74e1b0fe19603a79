"""The trades of the world, under the names that people, Google and OpenStreetMap give them."""

from __future__ import annotations

from sandbox.business import Category

_HEALTH = ("health", "point_of_interest", "establishment")
_STORE = ("store", "point_of_interest", "establishment")
_ANY = ("point_of_interest", "establishment")

CATEGORIES: tuple[Category, ...] = (
    Category("dentist", "Dentist", ("dentist", "dentists", "dental clinic", "dental"), ("dental_clinic", *_HEALTH),
             "amenity", "dentist"),
    Category("plumber", "Plumber", ("plumber", "plumbers", "plumbing"), _ANY, "craft", "plumber"),
    Category("lawyer", "Lawyer", ("lawyer", "lawyers", "attorney", "attorneys", "law firm"), _ANY, "office", "lawyer"),
    Category("restaurant", "Restaurant", ("restaurant", "restaurants", "places to eat"), ("food", *_ANY),
             "amenity", "restaurant"),
    Category("hair_salon", "Hair salon", ("hair salon", "hair salons", "hairdresser", "hairdressers"),
             ("beauty_salon", *_ANY), "shop", "hairdresser"),
    Category("veterinary_care", "Veterinarian", ("veterinarian", "veterinarians", "vet", "vets", "animal clinic"),
             _ANY, "amenity", "veterinary"),
    Category("accounting", "Accountant", ("accountant", "accountants", "accounting", "tax advisor"),
             ("finance", *_ANY), "office", "accountant"),
    Category("roofing_contractor", "Roofing contractor", ("roofing contractor", "roofing contractors", "roofer",
             "roofers"), ("general_contractor", *_ANY), "craft", "roofer"),
    Category("yoga_studio", "Yoga studio", ("yoga studio", "yoga studios", "yoga"), ("gym", "sports_activity_location",
             *_ANY), "sport", "yoga"),
    Category("florist", "Florist", ("florist", "florists", "flower shop"), _STORE, "shop", "florist"),
    Category("car_repair", "Car repair", ("car repair", "auto repair", "mechanic", "mechanics"), ("service", *_STORE),
             "shop", "car_repair"),
    Category("hotel", "Hotel", ("hotel", "hotels", "places to stay"), ("lodging", *_ANY), "tourism", "hotel"),
)  # fmt: skip
CATEGORY_WEIGHTS: tuple[int, ...] = (30, 8, 8, 10, 7, 6, 6, 5, 4, 5, 6, 5)


def category_named(text: str) -> Category:
    """Find a category by its name, its label or anything that people type for it."""
    wanted = text.strip().casefold()
    for category in CATEGORIES:
        if wanted in (category.name, category.label.casefold(), *category.words):
            return category
    raise ValueError(f"no category {text!r}; there are {', '.join(category.name for category in CATEGORIES)}")
