"""Phone words: what stands in front of phones, of faxes, and of numbers that are neither; and where a page is from."""

from __future__ import annotations

import re

from services.contacts_words import words

_PHONE = (
    "anruf appel appelez call cell cellular celular cellulare contact gsm handy hotline kom komórka llame main "
    "mob mobil mobiel mobile móvil movil numer office ph phone phones portable rufnummer tel telef telefon telefone "
    "telefonia telefono telefoon telemóvel telephone teléfono téléphone tlf tfno tfn toll-free tollfree tél local "
    "whatsapp fone fones telp тел телефон τηλ τηλέφωνο 电话 電話 전화 "
    "freephone voice landline helpline switchboard reservations wats telefonnummer puh puhelin direct"
)
_FAX = "fax faks факс φαξ 传真 傳真 telefax facsimile fx télécopie telecopie télécopieur telecopieur"
# Numbers of papers, firms, things and days, in the languages of the pages.
_OTHER = (
    "vat uid ust ustid ust-idnr ust-id steuernummer hrb hra kvk btw siret siren rcs tva cif nif nie nip regon krs iva "
    "piva p.iva partita abn acn ein duns isbn issn ean upc gtin sku order orders invoice rechnung bestellung factura "
    "faktura facture fattura ordine commande pedido bestelling zamówienie registration registered registernummer reg "
    "license licence lic npi permit iban bic swift account konto kontonummer rekening compte cuenta conto rachunek "
    "id no.: serial model part version copyright © zip plz isin patent case docket policy ref reference sort charity "
    "company-number nmls dre calbre imei lat lng latitude longitude gps pubmed doi pmid "
    "art.-nr artikelnummer artikel-nr aktenzeichen az kto blz"
)


def _words(listed: str) -> str:
    return "|".join(sorted(map(re.escape, listed.split()), key=len, reverse=True))


PHONE_WORD = re.compile(
    rf"(?<![^\W_])(?:{_words(_PHONE)}|toll free|[tpm](?=\s?[:.]))(?![^\W_])|☎|📞|✆|📱", re.IGNORECASE
)
FAX_WORD = re.compile(rf"(?<![^\W_])(?:{_words(_FAX)}|f(?=\s?[:.]))(?![^\W_])|📠", re.IGNORECASE)
OTHER_WORD = re.compile(rf"(?<![^\W_])(?:{_words(_OTHER)})(?![^\W_])|#", re.IGNORECASE)

# Country endings that are sold to everybody say nothing about a country.
EVERYBODYS = words("ac ag ai am bz cc cd co fm gg gl im io la ly me mn ms nu sc sh so st tk to tv vc vg ws")
LANGUAGE_REGIONS = {
    "az": "AZ", "bg": "BG", "ca": "ES", "cs": "CZ", "da": "DK", "de": "DE", "el": "GR", "es": "ES", "et": "EE",
    "fi": "FI", "fr": "FR", "he": "IL", "hr": "HR", "hu": "HU", "id": "ID", "is": "IS", "it": "IT", "ja": "JP",
    "ko": "KR", "lt": "LT", "lv": "LV", "nb": "NO", "nl": "NL", "nn": "NO", "no": "NO", "pl": "PL", "pt": "PT",
    "ro": "RO", "ru": "RU", "sk": "SK", "sl": "SI", "sr": "RS", "sv": "SE", "th": "TH", "tr": "TR", "uk": "UA",
    "vi": "VN", "zh": "CN",
}  # fmt: skip
# A country as its pages name it in an address. Names that are also states, first names or common words are left out.
COUNTRY_NAMES = {
    "argentina": "AR", "australia": "AU", "austria": "AT", "österreich": "AT", "azerbaijan": "AZ", "belgium": "BE",
    "belgique": "BE", "belgië": "BE", "brasil": "BR", "brazil": "BR", "bulgaria": "BG", "canada": "CA", "chile": "CL",
    "china": "CN", "colombia": "CO", "croatia": "HR", "czech republic": "CZ", "denmark": "DK", "danmark": "DK",
    "deutschland": "DE", "germany": "DE", "egypt": "EG", "españa": "ES", "spain": "ES", "finland": "FI", "france": "FR",
    "greece": "GR", "hong kong": "HK", "hungary": "HU", "india": "IN", "indonesia": "ID", "ireland": "IE",
    "israel": "IL", "italia": "IT", "italy": "IT", "japan": "JP", "malaysia": "MY", "mexico": "MX", "méxico": "MX",
    "nederland": "NL", "netherlands": "NL", "the netherlands": "NL", "new zealand": "NZ", "norway": "NO", "norge": "NO",
    "pakistan": "PK", "philippines": "PH", "poland": "PL", "polska": "PL", "portugal": "PT", "romania": "RO",
    "russia": "RU", "россия": "RU", "saudi arabia": "SA", "schweiz": "CH", "suisse": "CH", "switzerland": "CH",
    "singapore": "SG", "slovakia": "SK", "slovenia": "SI", "south africa": "ZA", "south korea": "KR", "sverige": "SE",
    "sweden": "SE", "taiwan": "TW", "thailand": "TH", "türkiye": "TR", "ukraine": "UA", "united arab emirates": "AE",
    "england": "GB", "scotland": "GB", "united kingdom": "GB", "vietnam": "VN",
}  # fmt: skip
# Words that every text of a language has and texts of the others have not.
COMMON_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "cs": "jsou nebo který jako také pro byl své naše",
        "da": "og ikke til vores eller hvor også jeg kontakt",
        "de": "und der die das nicht mit für wir ist auf ein eine oder sie uns",
        "en": "the and of for with our you this that from are your we",
        "es": "el los las del para con una por nuestra nuestro más como su contacto",
        "fi": "ja sekä tai että ovat ei myös meidän yhteystiedot",
        "fr": "le les des une pour avec dans nous vous est sur notre nos et aux",
        "hu": "és az egy hogy vagy nem van kapcsolat",
        "it": "il gli della delle per con una nostra nostro più che sono nel alla",
        "nl": "het een van voor met wij onze niet zijn ook bij naar en",
        "no": "og ikke til våre eller hvor også vi kontakt",
        "pl": "nie jest się oraz dla przez lub nasza jak kontakt są",
        "pt": "os das dos uma para com não nossa nosso mais são em ao",
        "sv": "och att för med inte är vår våra eller som på av",
        "tr": "ve bir için ile olarak bizim iletişim",
    }.items()
}
