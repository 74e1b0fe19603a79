"""What a trade calls itself on a sign, in each language."""

from __future__ import annotations

Signs = dict[str, tuple[str, ...]]

# English signs put the trade last ("Baker Plumbing"), the other languages first ("Studio Legale Rossi").
_ENGLISH: Signs = {
    "dentist": ("Dental", "Family Dental", "Dentistry", "Dental Care", "Smiles", "Dental Group", "Orthodontics"),
    "plumber": ("Plumbing", "Plumbing & Heating", "Drain Service", "Plumbing Co."),
    "lawyer": ("Law Firm", "Law Office", "Attorneys at Law", "Legal Group"),
    "restaurant": ("Kitchen", "Grill", "Bistro", "Diner", "Taqueria"),
    "hair_salon": ("Hair Salon", "Hair Studio", "Salon & Spa", "Barbers"),
    "veterinary_care": ("Animal Hospital", "Veterinary Clinic", "Pet Clinic"),
    "accounting": ("Accounting", "Tax & Accounting", "CPA", "Bookkeeping"),
    "roofing_contractor": ("Roofing", "Roofing & Gutters", "Roof Repair"),
    "yoga_studio": ("Yoga", "Yoga Studio", "Hot Yoga"),
    "florist": ("Flowers", "Floral Design", "Florist"),
    "car_repair": ("Auto Repair", "Garage", "Tire & Auto"),
    "hotel": ("Hotel", "Inn", "Suites"),
}
_GERMAN: Signs = {
    "dentist": ("Zahnarztpraxis", "Zahnärzte", "Praxis für Zahnheilkunde"),
    "plumber": ("Sanitär", "Heizung & Sanitär"),
    "lawyer": ("Rechtsanwälte", "Anwaltskanzlei"),
    "restaurant": ("Gasthaus", "Restaurant", "Wirtshaus"),
    "hair_salon": ("Friseur", "Friseursalon"),
    "veterinary_care": ("Tierarztpraxis", "Kleintierpraxis"),
    "accounting": ("Steuerberatung", "Steuerkanzlei"),
    "roofing_contractor": ("Dachdeckerei", "Bedachungen"),
    "yoga_studio": ("Yogastudio", "Yogaschule"),
    "florist": ("Blumen", "Blütenwerk"),
    "car_repair": ("Autowerkstatt", "KFZ-Service"),
    "hotel": ("Hotel", "Pension"),
}
_FRENCH: Signs = {
    "dentist": ("Cabinet Dentaire", "Clinique Dentaire"),
    "plumber": ("Plomberie", "Dépannage Plomberie"),
    "lawyer": ("Cabinet d'Avocats", "Avocats"),
    "restaurant": ("Restaurant", "Brasserie", "Chez"),
    "hair_salon": ("Salon de Coiffure", "Coiffure"),
    "veterinary_care": ("Clinique Vétérinaire", "Cabinet Vétérinaire"),
    "accounting": ("Cabinet Comptable", "Expertise Comptable"),
    "roofing_contractor": ("Couverture", "Toitures"),
    "yoga_studio": ("Studio de Yoga", "Atelier Yoga"),
    "florist": ("Fleurs", "Atelier Floral"),
    "car_repair": ("Garage", "Carrosserie"),
    "hotel": ("Hôtel", "Résidence"),
}
_SPANISH: Signs = {
    "dentist": ("Clínica Dental", "Centro Dental"),
    "plumber": ("Fontanería", "Fontaneros"),
    "lawyer": ("Abogados", "Bufete"),
    "restaurant": ("Restaurante", "Taberna", "Casa"),
    "hair_salon": ("Peluquería", "Salón de Belleza"),
    "veterinary_care": ("Clínica Veterinaria", "Centro Veterinario"),
    "accounting": ("Asesoría", "Gestoría"),
    "roofing_contractor": ("Tejados", "Cubiertas"),
    "yoga_studio": ("Centro de Yoga", "Estudio Yoga"),
    "florist": ("Floristería", "Flores"),
    "car_repair": ("Taller", "Talleres"),
    "hotel": ("Hotel", "Hostal"),
}
_ITALIAN: Signs = {
    "dentist": ("Studio Dentistico", "Centro Odontoiatrico"),
    "plumber": ("Idraulica", "Termoidraulica"),
    "lawyer": ("Studio Legale", "Avvocati"),
    "restaurant": ("Trattoria", "Ristorante", "Osteria"),
    "hair_salon": ("Parrucchieri", "Salone"),
    "veterinary_care": ("Clinica Veterinaria", "Ambulatorio Veterinario"),
    "accounting": ("Studio Commercialista", "Consulenza Fiscale"),
    "roofing_contractor": ("Coperture", "Tetti"),
    "yoga_studio": ("Centro Yoga", "Scuola di Yoga"),
    "florist": ("Fiori", "Fioreria"),
    "car_repair": ("Autofficina", "Carrozzeria"),
    "hotel": ("Albergo", "Hotel"),
}
_DUTCH: Signs = {
    "dentist": ("Tandartspraktijk", "Mondzorg"),
    "plumber": ("Loodgietersbedrijf", "Installatietechniek"),
    "lawyer": ("Advocaten", "Advocatenkantoor"),
    "restaurant": ("Restaurant", "Eetcafé"),
    "hair_salon": ("Kapsalon", "Kapper"),
    "veterinary_care": ("Dierenkliniek", "Dierenarts"),
    "accounting": ("Administratiekantoor", "Accountants"),
    "roofing_contractor": ("Dakdekkersbedrijf", "Dakwerken"),
    "yoga_studio": ("Yogastudio", "Yogaschool"),
    "florist": ("Bloemen", "Bloemenhuis"),
    "car_repair": ("Autobedrijf", "Garage"),
    "hotel": ("Hotel", "Logement"),
}
_PORTUGUESE: Signs = {
    "dentist": ("Clínica Dentária", "Medicina Dentária"),
    "plumber": ("Canalizações", "Canalizador"),
    "lawyer": ("Advogados", "Sociedade de Advogados"),
    "restaurant": ("Restaurante", "Tasca", "Cervejaria"),
    "hair_salon": ("Cabeleireiro", "Salão"),
    "veterinary_care": ("Clínica Veterinária", "Hospital Veterinário"),
    "accounting": ("Contabilidade", "Contabilistas"),
    "roofing_contractor": ("Telhados", "Coberturas"),
    "yoga_studio": ("Espaço Yoga", "Escola de Yoga"),
    "florist": ("Florista", "Flores"),
    "car_repair": ("Oficina", "Auto"),
    "hotel": ("Hotel", "Residencial"),
}
_POLISH: Signs = {
    "dentist": ("Gabinet Stomatologiczny", "Klinika Dentystyczna"),
    "plumber": ("Hydraulika", "Usługi Hydrauliczne"),
    "lawyer": ("Kancelaria Adwokacka", "Kancelaria Prawna"),
    "restaurant": ("Restauracja", "Gospoda"),
    "hair_salon": ("Salon Fryzjerski", "Studio Fryzur"),
    "veterinary_care": ("Przychodnia Weterynaryjna", "Lecznica dla Zwierząt"),
    "accounting": ("Biuro Rachunkowe", "Doradztwo Podatkowe"),
    "roofing_contractor": ("Dachy", "Usługi Dekarskie"),
    "yoga_studio": ("Szkoła Jogi", "Studio Jogi"),
    "florist": ("Kwiaciarnia", "Pracownia Florystyczna"),
    "car_repair": ("Warsztat", "Auto Serwis"),
    "hotel": ("Hotel", "Pensjonat"),
}
TRADES: dict[str, Signs] = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
    "it": _ITALIAN,
    "nl": _DUTCH,
    "pt": _PORTUGUESE,
    "pl": _POLISH,
}
