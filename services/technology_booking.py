"""Technology booking: the signs of tools by which visitors make an appointment, reserve or order, one line each.

A link is enough, since many businesses only link to their page there. The pair of source and link is made here, so one
line names a tool's host once.
"""

from __future__ import annotations

from services.technology_evidence import Sign, Where

# The tool, and the part of an address that leads to a business's page there rather than to the tool's own.
BOOKING_TOOLS: tuple[tuple[str, str], ...] = (
    ("Calendly", "//calendly.com/"),
    ("Calendly", "//assets.calendly.com/"),
    ("Acuity", ".acuityscheduling.com/"),
    ("Acuity", "//app.acuityscheduling.com/"),
    ("Acuity", ".as.me/"),
    ("Square Appointments", "//squareup.com/appointments/"),
    ("Square Appointments", "//book.squareup.com/"),
    ("SimplyBook", ".simplybook.me"),
    ("SimplyBook", ".simplybook.it"),
    ("Setmore", ".setmore.com/"),
    ("Booksy", "booksy.com/"),
    ("Fresha", "fresha.com/"),
    ("Vagaro", "vagaro.com/"),
    ("Mindbody", "mindbodyonline.com/"),
    ("Mindbody", "healcode.com/"),
    ("GlossGenius", ".glossgenius.com/"),
    ("StyleSeat", "styleseat.com/"),
    ("Schedulicity", "schedulicity.com/"),
    ("Boulevard", "blvd.co/"),
    ("Phorest", "phorest.com/"),
    ("Treatwell", "treatwell."),
    ("Planity", "planity.com/"),
    ("Salonized", "salonized.com/"),
    ("Shore", "shore.com/bookings"),
    ("Zocdoc", "zocdoc.com/"),
    ("Doctolib", "doctolib."),
    ("Jameda", "jameda.de/"),
    ("Doctena", "doctena."),
    ("Samedi", "samedi.de/"),
    ("Dr. Flex", "dr-flex.de"),
    ("Miodottore", "miodottore.it/"),
    ("Doctoralia", "doctoralia."),
    ("ZnanyLekarz", "znanylekarz.pl/"),
    ("NexHealth", "nexhealth.com/"),
    ("LocalMed", "localmed.com/"),
    ("Solutionreach", "schedule.solutionreach.com/"),
    ("Jane", ".janeapp.com"),
    ("SimplePractice", ".clientsecure.me"),
    ("OpenTable", "opentable."),
    ("Resy", "resy.com/"),
    ("Tock", "exploretock.com/"),
    ("SevenRooms", "sevenrooms.com/"),
    ("Yelp Reservations", "yelp.com/reservations/"),
    ("TheFork", "thefork."),
    ("TheFork", "lafourchette.com/"),
    ("Quandoo", "quandoo."),
    ("ResDiary", "resdiary.com/"),
    ("Zenchef", "zenchef.com/"),
    ("Formitable", "formitable.com/"),
    ("Toast", "toasttab.com/"),
    ("ChowNow", "chownow.com/"),
    ("HubSpot Meetings", "//meetings.hubspot.com/"),
    ("YouCanBookMe", ".youcanbook.me"),
    ("Google Appointments", "calendar.google.com/calendar/appointments"),
    ("Google Appointments", "calendar.app.google/"),
    ("Microsoft Bookings", "outlook.office365.com/owa/calendar/"),
    ("Microsoft Bookings", "outlook.office.com/bookwithme/"),
    ("TidyCal", "tidycal.com/"),
    ("Cal.com", "//cal.com/"),
    ("Timify", "timify.com/"),
    ("Reservio", "reservio.com"),
    ("Housecall Pro", "housecallpro.com/"),
    ("Jobber", "clienthub.getjobber.com/"),
    ("ServiceTitan", "servicetitan.com/"),
    ("Amelia", "/plugins/ameliabooking/"),
    ("Bookly", "/plugins/bookly-"),
    ("Cloudbeds", "cloudbeds.com/"),
    ("Booking.com", "booking.com/hotel/"),
    ("Eversports", "eversports."),
    ("Checkfront", ".checkfront.com"),
    ("FareHarbor", "fareharbor.com/"),
    ("Peek", "book.peek.com/"),
)
_PLACES: tuple[Where, ...] = ("source", "link")


def _spellings(text: str) -> tuple[str, ...]:
    """Begin a name where a host's name or a part of it does."""
    return (f"//{text}", f".{text}") if text[0].isalnum() else (text,)


BOOKING_SIGNS = tuple(
    Sign(name, "booking", where, spelt)
    for name, text in BOOKING_TOOLS
    for spelt in _spellings(text)
    for where in _PLACES
)
