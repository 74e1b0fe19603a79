"""Lead score: how much a lead promises, from 0 to 100; more of anything good never makes it less."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

# What each part can bring at most; together 100.
MOST_EMAIL, MOST_PHONE, MOST_SOCIAL, MOST_SITE, MOST_REPUTATION, MOST_FRESHNESS = 40, 15, 10, 10, 15, 10

EMAIL_POINTS = {"valid": 34, "unknown": 24, None: 24, "risky": 12}
NEARNESS_POINTS = (6, 3, 0)
SOCIAL_POINTS = (0, 5, 8, 10)
FRESHNESS_POINTS = ((30, 10), (90, 7), (365, 3))
RATING_POINTS, REVIEW_POINTS = 7, 8
WORST_RATING, BEST_RATING = 3.0, 5.0


@dataclass(frozen=True, slots=True)
class Signals:
    """What a score is made of; `email_nearness` is 0 for the business's own domain, see `services.lead.nearness`."""

    has_email: bool = False
    email_verdict: str | None = None
    email_nearness: int = 2
    has_phone: bool = False
    networks: int = 0
    has_website: bool = False
    site_was_read: bool = False
    rating: float | None = None
    review_count: int | None = None
    days_since_seen: float | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """What one thing brings to a score, and what it could bring at most."""

    name: str
    points: int
    most: int


def parts(signals: Signals) -> tuple[Part, ...]:
    """Give what speaks for a lead, one by one."""
    return (
        Part("email", email_points(signals), MOST_EMAIL),
        Part("phone", MOST_PHONE if signals.has_phone else 0, MOST_PHONE),
        Part("social profiles", SOCIAL_POINTS[min(max(signals.networks, 0), 3)], MOST_SOCIAL),
        Part("website", site_points(signals), MOST_SITE),
        Part("reputation", reputation_points(signals.rating, signals.review_count), MOST_REPUTATION),
        Part("freshness", freshness_points(signals.days_since_seen), MOST_FRESHNESS),
    )


def score(signals: Signals) -> int:
    """Add up what speaks for a lead."""
    return sum(part.points for part in parts(signals))


def email_points(signals: Signals) -> int:
    """Give 12 to 34 for what is known of the address, and up to 6 for whose domain it is at."""
    if not signals.has_email or signals.email_verdict not in EMAIL_POINTS:
        return 0
    return EMAIL_POINTS[signals.email_verdict] + NEARNESS_POINTS[min(max(signals.email_nearness, 0), 2)]


def site_points(signals: Signals) -> int:
    """Give 5 for a website and 5 more when it could be read."""
    return 5 * signals.has_website + 5 * signals.site_was_read


def reputation_points(rating: float | None, review_count: int | None) -> int:
    """Give up to 7 for a rating above 3, and up to 8 for reviews: one for each doubling, all for 255."""
    above = min(max((rating or 0.0) - WORST_RATING, 0.0), BEST_RATING - WORST_RATING)
    stars = round(RATING_POINTS * above / (BEST_RATING - WORST_RATING))
    return stars + min(REVIEW_POINTS, int(log2(1 + max(review_count or 0, 0))))


def freshness_points(days: float | None) -> int:
    """Give 10 for a contact seen in the last 30 days, 7 in 90, 3 in a year."""
    if days is None:
        return 0
    return next((points for most, points in FRESHNESS_POINTS if days <= most), 0)
