"""OSM trade: what people type for a trade, and the tags that OpenStreetMap's volunteers give it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

LONGEST = 200
FILLERS = frozenset("a all an and best cheap find for good in local me my near nearby of the top".split())  # noqa: SIM905

Tag = tuple[str, str]

# Tags on the left, any of which will do; on the right what people say, in the singular. The plural follows by itself.
_TABLE = """
amenity=dentist healthcare=dentist: dentist, dental clinic, dental office, dental practice, dental surgery, dental care
healthcare:speciality=orthodontics: orthodontist
amenity=doctors healthcare=doctor: doctor, physician, general practitioner, gp, doctor office, medical practice
amenity=clinic healthcare=clinic: clinic, medical clinic, medical centre, medical center, health centre, urgent care
amenity=hospital healthcare=hospital: hospital
amenity=pharmacy healthcare=pharmacy: pharmacy, drugstore, chemist
healthcare=physiotherapist: physiotherapist, physiotherapy, physical therapist, physical therapy
healthcare=chiropractor healthcare:speciality=chiropractic: chiropractor
healthcare=psychotherapist: psychotherapist, psychologist, therapist, counsellor, counselor
healthcare=optometrist shop=optician: optician, optometrist, eye doctor, glasses shop
shop=hearing_aids: audiologist, hearing aid shop
healthcare=podiatrist: podiatrist, chiropodist
healthcare=alternative: naturopath, acupuncturist, homeopath, osteopath
amenity=veterinary: veterinarian, veterinary, veterinary clinic, vet, animal clinic, animal hospital
craft=plumber: plumber, plumbing, plumbing company, plumbing contractor
craft=electrician: electrician, electrical contractor
craft=hvac: hvac, hvac contractor, heating contractor, heating engineer, air conditioning contractor
craft=roofer: roofer, roofing, roofing contractor, roofing company
craft=carpenter: carpenter, joiner, carpentry
craft=painter: painter, house painter, painting contractor, decorator
craft=gardener: gardener, landscaper, landscaping company, landscape gardener
craft=builder office=construction_company: builder, general contractor, construction company, contractor
craft=tiler: tiler, tile setter
craft=plasterer: plasterer
craft=glaziery: glazier, window repair
craft=locksmith shop=locksmith: locksmith
craft=metal_construction craft=welder: welder, metal worker
craft=stonemason: stonemason
craft=upholsterer: upholsterer
craft=electronics_repair shop=electronics_repair: electronics repair, computer repair, phone repair
craft=shoemaker shop=shoe_repair: shoemaker, cobbler, shoe repair
craft=tailor shop=tailor: tailor, dressmaker, seamstress
craft=photographer shop=photo: photographer, photo studio, photography studio
craft=caterer: caterer, catering, catering service
craft=brewery: brewery
craft=winery shop=wine: winery, wine shop
craft=printer shop=copyshop: printer, print shop, printing company, copy shop
craft=cleaning office=cleaning: cleaner, cleaning company, cleaning service
craft=pest_control shop=pest_control: pest control, exterminator
office=lawyer: lawyer, attorney, law firm, law office, solicitor, barrister, legal service
office=notary: notary, notary public
office=accountant office=tax_advisor: accountant, accounting, accounting firm, bookkeeper, tax advisor, tax adviser, cpa
office=insurance: insurance agency, insurance agent, insurance broker, insurance
office=estate_agent shop=estate_agent: real estate agency, real estate agent, estate agent, realtor, letting agent
office=architect: architect, architecture firm
office=engineer: engineering office, structural engineer
office=it: it company, it service, software company, web designer, web agency
office=advertising_agency office=marketing: advertising agency, marketing agency, marketing company
office=consulting: consultant, consulting firm, business consultant
office=financial office=financial_advisor: financial advisor, financial adviser, financial planner
office=employment_agency: employment agency, recruitment agency, staffing agency
office=moving_company: moving company, mover, removal company
office=coworking amenity=coworking_space: coworking space, coworking
office=security: security company
amenity=bank: bank
shop=travel_agency: travel agency, travel agent
shop=funeral_directors: funeral home, funeral director, undertaker
shop=hairdresser: hair salon, hairdresser, barber, barber shop, barbershop, hair stylist
shop=beauty: beauty salon, beautician, nail salon, cosmetic studio
leisure=spa shop=massage: spa, massage, massage therapist, day spa
shop=tattoo: tattoo studio, tattoo parlor, tattoo parlour, tattoo shop, tattoo artist, tattoo
leisure=fitness_centre: gym, fitness centre, fitness center, fitness studio, health club
sport=yoga: yoga studio, yoga, yoga school
leisure=dance amenity=dancing_school: dance school, dance studio
amenity=driving_school: driving school
amenity=language_school: language school
amenity=music_school: music school, music teacher
amenity=kindergarten amenity=childcare: kindergarten, preschool, daycare, day care, nursery, childcare, child care
shop=car_repair: car repair, car repair shop, auto repair, auto repair shop, mechanic, auto mechanic, garage
shop=tyres: tyre shop, tire shop
shop=car: car dealer, car dealership, auto dealer
shop=car_parts: car part, auto part, auto parts store
shop=motorcycle shop=motorcycle_repair: motorcycle dealer, motorcycle shop, motorcycle repair
amenity=car_wash: car wash
amenity=car_rental: car rental, rental car
amenity=fuel: gas station, petrol station, filling station
shop=bicycle: bicycle shop, bike shop, bike store, bicycle store, bicycle repair
shop=florist: florist, flower shop
shop=bakery: bakery, baker
shop=butcher: butcher, butcher shop
shop=confectionery shop=pastry: pastry shop, confectioner, candy store
shop=supermarket: supermarket, grocery store, grocery
shop=convenience: convenience store, corner shop
shop=clothes: clothing store, clothes shop, boutique, fashion store
shop=shoes: shoe store, shoe shop
shop=jewelry craft=jeweller: jeweller, jeweler, jewelry store, jewellery shop
shop=furniture: furniture store, furniture shop
shop=doityourself shop=hardware: hardware store, home improvement store, diy store
shop=garden_centre: garden centre, garden center, plant nursery
shop=electronics: electronics store, electronics shop
shop=mobile_phone: mobile phone shop, cell phone store
shop=books: bookstore, book store, bookshop, book shop
shop=toys: toy store, toy shop
shop=gift: gift shop, souvenir shop
shop=pet shop=pet_grooming: pet shop, pet store, pet groomer, dog groomer
shop=laundry shop=dry_cleaning: laundry, dry cleaner, laundromat, launderette
shop=optician: eyewear store
shop=kitchen: kitchen studio, kitchen showroom
shop=musical_instrument: music store, music shop
shop=storage_rental: self storage, storage unit
amenity=restaurant: restaurant, place to eat, diner
amenity=fast_food: fast food, takeaway, take away, food truck
amenity=cafe: cafe, coffee shop, coffee house, tea room
amenity=bar amenity=pub: bar, pub, cocktail bar
amenity=ice_cream shop=ice_cream: ice cream shop, ice cream parlor, ice cream parlour
amenity=nightclub: nightclub, night club, club
amenity=events_venue: event venue, wedding venue
tourism=hotel tourism=motel: hotel, motel, place to stay
tourism=guest_house: guest house, bed and breakfast, inn
tourism=hostel: hostel
tourism=camp_site tourism=caravan_site: campground, campsite, camping site, rv park
tourism=museum: museum
tourism=gallery shop=art: art gallery, gallery
"""


def tags_of(what: str) -> tuple[Tag, ...]:
    """Give the tags of the trade that a person typed, or none when the table does not have it."""
    return _trades().get(_key(words_of(what)), ())


def words_of(what: str) -> tuple[str, ...]:
    """Give the words that matter, in lower case, as they are written."""
    words = re.findall(r"[^\W_]+(?:['’&-][^\W_]+)*", what[:LONGEST].casefold())  # noqa: RUF001
    return tuple(word for word in words if word not in FILLERS)


def value_of(what: str) -> str:
    """Give what volunteers would write for a trade that is not in the table: `saddle_maker` for `saddle makers`."""
    return "_".join(_key(words_of(what)))


@cache
def _trades() -> dict[tuple[str, ...], tuple[Tag, ...]]:
    trades: dict[tuple[str, ...], tuple[Tag, ...]] = {}
    for line in _TABLE.strip().splitlines():
        tags, _, phrases = line.partition(": ")
        read = tuple((key, value) for key, _, value in (tag.partition("=") for tag in tags.split()))
        for phrase in phrases.split(", "):
            trades.setdefault(_key(words_of(phrase)), read)
    return trades


def _key(words: tuple[str, ...]) -> tuple[str, ...]:
    """Forget accents and plurals, so that both sides of a comparison are the same."""
    return tuple(_singular(_plain(word)) for word in words)


def _plain(word: str) -> str:
    return "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))


def _singular(word: str) -> str:
    """Drop the English plural, roughly: what matters is that both spellings end up the same."""
    word = re.sub("['’]s?$", "", word)  # noqa: RUF001
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
