"""People words: how team cards are marked, what names are made of, and what looks like a name and is none."""

from __future__ import annotations

import re

from services.contacts_words import words

# Classes of boxes that show one person or a team.
CARD = re.compile(
    r"(?:^|[\s_-])(?:team|staff|member|members|person|people|employee|mitarbeiter|equipe|equipo|squadra|medewerker|"
    r"zespol|pracownik|doctor|doctors|attorney|attorneys|lawyer|agent|agents|provider|physician|dentist|founder|"
    r"leadership|board|bio|profile|our-team|crew|trainer|stylist|consultant|ansprechpartner|contact-person|teammember|"
    r"teamcard|staffmember|persona|colaborador|collaborateur)s?(?=$|[\s_-])",
    re.IGNORECASE,
)
NAME = re.compile(
    r"(?:^|[\s_-])(?:name|fn|p-name|fullname|membername|teamname|staffname|nombre|nom|naam|nome)(?=$|[\s_-])",
    re.IGNORECASE,
)
TITLE = re.compile(
    r"(?:^|[\s_-])(?:title|role|position|job|jobtitle|job-title|designation|function|funktion|poste|cargo|ruolo|functie|"
    r"stanowisko|subtitle|occupation)(?=$|[\s_-])",
    re.IGNORECASE,
)
STRANGER = re.compile(
    r"(?:^|[\s_-])(?:comment|comments|author|byline|review|testimonial|quote|post-meta)s?(?=$|[\s_-])", re.IGNORECASE
)
HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
HONORIFICS = words(
    "dr dr. prof prof. mr mr. mrs mrs. ms ms. mx. herr frau sr. sra. ing. dipl.-ing. mag. rev. hon. mme m. me dott."
)
PARTICLES = words("von van de der den del della di da dos das do du la le el y e i zu zur ten ter af av bin ibn al ap")
# Behind a comma after a name: degrees and licences.
DEGREE = re.compile(r",?\s{0,2}(?:(?:[A-Z][A-Za-z]?\.?){2,6}|Esq\.?|Jr\.?|Sr\.?|PhD|Ph\.D\.?)$")
NOT_NAMES = words(
    """
    about address all appointment appointments associates attorney blog board book business call careers center centre
    clinic company contact customer dental department directions dr email equipe equipo event events family fax find
    follow free get group hello help home hours impressum info inc job jobs join kontakt leadership learn legal llc llp
    location locations ltd mail management meet member members menu more news notre nasz nuestro office online open
    opening opportunities our ons partners people phone policy practice press privacy products public quick read
    request rights sales schedule search send service services shop sign site staff start store subscribe
    support team terms testimonials the tour treatment treatments unser us view visit web website welcome why work you
    your zespół über
    benefits care cleaning commercial crowns emergency faq financing gallery implants installation insurance membership
    new now package packages plan plans premium pricing program programs repair residential results reviews same teeth
    training value warranty whitening monday tuesday wednesday thursday friday saturday sunday
    """
)
# Words of titles: a line with one of them says what somebody does, not who it is.
TITLE_WORDS = words(
    """
    accountant administrator advisor adviser agent allgemeinmediziner apprentice architect arzt assistant assistent
    assistentin associate associé associée attorney avocat balie berater broker buchhaltung büroleitung ceo cfo
    man chef chief chirurg cleaner cofounder co-founder commissioner consultant controller coo
    coordinator counsel counselor cto dentist dentiste dentista dentystka deputy designer developer diretor
    diretora director directora directrice directeur direktor direttore direttrice doctor dyrektor editor eigenaar
    electrician empfang engineer estimator executive fisioterapeuta foreman founder general gerente geschäftsführer
    geschäftsführerin gründer gérant gérante hostess hygienist impiegata inhaber inhaberin inspector instructor
    intern kierownik kinesitherapeute lawyer er leiter leiterin logopedist manager managing marketing
    massage mechanic medewerker mitarbeiter mitarbeiterin nurse officer operations operator optician optometrist
    owner paralegal partner photographer physician physiotherapeut physiotherapist plumber postdoc praktijkmanager
    prawnik président president prezes principal procurist producer professor programmer project prokurist realtor
    receptionist receção recepcion recepción recepcja rechtsanwalt registrar representative responsable responsabile
    resident salesperson secretary secretaria segreteria senior socia socio specialist spezialist sprzedawca stylist
    supervisor surgeon sócio sócia tandarts technician teacher technicien techniker therapist titolare trainer treasurer
    trustee veterinarian vestigingsleider vice vorstand właściciel właścicielka wspólnik zahnarzt zahnärztin
    """
)
