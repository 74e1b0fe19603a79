"""Where sites keep their pages, in the languages of their towns."""

from __future__ import annotations

from random import Random

_PAGES = {
    "en": "home=Home about=About_us services=Services contact=Contact team=Our_team blog=News legal=Legal_notice "
    "location=Locations privacy=Privacy",
    "de": "home=Start about=Über_uns services=Leistungen contact=Kontakt team=Unser_Team blog=Aktuelles "
    "legal=Impressum location=Standorte privacy=Datenschutz",
    "fr": "home=Accueil about=À_propos services=Prestations contact=Contact team=Notre_équipe blog=Actualités "
    "legal=Mentions_légales location=Nos_adresses privacy=Confidentialité",
    "es": "home=Inicio about=Sobre_nosotros services=Servicios contact=Contacto team=Nuestro_equipo blog=Noticias "
    "legal=Aviso_legal location=Sedes privacy=Privacidad",
    "it": "home=Home about=Chi_siamo services=Servizi contact=Contatti team=Il_nostro_team blog=Notizie "
    "legal=Note_legali location=Sedi privacy=Privacy",
    "nl": "home=Home about=Over_ons services=Diensten contact=Contact team=Ons_team blog=Nieuws legal=Colofon "
    "location=Vestigingen privacy=Privacy",
    "pt": "home=Início about=Sobre_nós services=Serviços contact=Contactos team=A_equipa blog=Notícias "
    "legal=Aviso_legal location=Lojas privacy=Privacidade",
    "pl": "home=Start about=O_nas services=Usługi contact=Kontakt team=Nasz_zespół blog=Aktualności "
    "legal=Nota_prawna location=Oddziały privacy=Prywatność",
}
_PATHS = {
    "en": "about=about,about-us services=services,what-we-do contact=contact,contact-us "
    "team=team,our-team,meet-the-team blog=blog,news legal=legal,terms location=locations privacy=privacy-policy",
    "de": "about=ueber-uns,praxis services=leistungen contact=kontakt team=team,unser-team blog=aktuelles "
    "legal=impressum location=standorte privacy=datenschutz",
    "fr": "about=a-propos,qui-sommes-nous services=prestations contact=contact,contactez-nous team=equipe,notre-equipe "
    "blog=actualites legal=mentions-legales location=agences privacy=confidentialite",
    "es": "about=sobre-nosotros,quienes-somos services=servicios contact=contacto team=equipo,nuestro-equipo "
    "blog=noticias legal=aviso-legal location=sedes privacy=privacidad",
    "it": "about=chi-siamo services=servizi contact=contatti team=il-team,staff blog=notizie legal=note-legali "
    "location=sedi privacy=privacy",
    "nl": "about=over-ons services=diensten contact=contact team=ons-team,team blog=nieuws legal=colofon "
    "location=vestigingen privacy=privacy",
    "pt": "about=sobre-nos services=servicos contact=contactos,contacto team=equipa blog=noticias legal=aviso-legal "
    "location=lojas privacy=privacidade",
    "pl": "about=o-nas services=uslugi contact=kontakt team=zespol,nasz-zespol blog=aktualnosci legal=nota-prawna "
    "location=oddzialy privacy=polityka-prywatnosci",
}


def _table(lines: dict[str, str]) -> dict[str, dict[str, str]]:
    return {language: dict(entry.split("=") for entry in line.split()) for language, line in lines.items()}


_TITLE, _PATH = _table(_PAGES), _table(_PATHS)


def page_title(language: str, kind: str) -> str:
    """Name a kind of page in a language."""
    return _TITLE[language][kind].replace("_", " ")


def page_path(language: str, kind: str, ending: str, dice: Random) -> str:
    """Choose a path for a kind of page; `ending` is what the site's builder adds: "", "/" or ".html"."""
    if kind == "home":
        return "/"
    return f"/{dice.choice(_PATH[language][kind].split(','))}{ending}"
