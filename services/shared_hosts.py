"""Shared hosts: addresses that many businesses have in common, so that none of them owns the domain.

A line gives a group's hosts; each stands for itself and everything below it. `name.*` is that name under any suffix.
Customers of a site builder have a site of their own, so builders are listed apart, as suffixes.
"""

from __future__ import annotations

from functools import cache

HOSTS: dict[str, str] = {
    "social": """
        facebook.com fb.com fb.me fb.gg messenger.com m.me instagram.com instagr.am threads.net threads.com
        twitter.com x.com t.co linkedin.com lnkd.in youtube.com youtu.be tiktok.com pinterest.* pin.it snapchat.com
        reddit.com vk.com ok.ru xing.com tumblr.com flickr.com vimeo.com twitch.tv discord.com discord.gg
        whatsapp.com wa.me telegram.me telegram.org t.me signal.me weibo.com line.me lin.ee nextdoor.* meetup.com
        medium.com quora.com soundcloud.com spotify.com patreon.com behance.net dribbble.com bsky.app nk.pl wykop.pl
        tuenti.com hyves.nl viadeo.com
""",
    "link-in-bio": """
        linktr.ee linktree.com beacons.ai bio.link bio.site lnk.bio linkin.bio campsite.bio taplink.cc taplink.at
        solo.to about.me allmylinks.com milkshake.app msha.ke hoo.be koji.to withkoji.com stan.store flow.page
        linkpop.com tap.bio snipfeed.co direct.me lnk.to linkfire.com popl.co hihello.com blinq.me dot.cards
""",
    "shortener": """
        bit.ly bitly.com goo.gl tinyurl.com ow.ly buff.ly is.gd rebrand.ly cutt.ly shorturl.at t.ly rb.gy tiny.cc
        page.link qr.codes qrco.de me-qr.com flowcode.com
""",
    "map": """
        google.* g.page g.co maps.app.goo.gl business.site negocio.site business.page maps.apple.com bing.com
        waze.com here.com openstreetmap.org mapquest.com mappy.com what3words.com foursquare.com 4sq.com
        viamichelin.*
""",
    "page": """
        sites.google.com docs.google.com forms.gle notion.so docs.zoho.com dropbox.com onedrive.live.com
        archive.org issuu.com canva.com eatbu.com gofundme.com eventbrite.* ticketmaster.* wikipedia.org
        wikidata.org
""",
    "directory": """
        yelp.* yellowpages.com yellowpages.ca yell.com thomsonlocal.com 192.com scoot.co.uk freeindex.co.uk bark.com
        checkatrade.com trustatrader.com ratedpeople.com mybuilder.com hotfrog.* cylex.* cylex-uk.co.uk
        brownbook.net manta.com superpages.com whitepages.com citysearch.com merchantcircle.com
        chamberofcommerce.com angi.com angieslist.com homeadvisor.com thumbtack.com houzz.* porch.com bbb.org
        trustpilot.com sitejabber.com birdeye.com nicelocal.com loc8nearme.com tripadvisor.* trip.com realtor.com
        zillow.com trulia.com rightmove.co.uk zoopla.co.uk avvo.com justia.com findlaw.com lawyers.com
        superlawyers.com healthgrades.com vitals.com webmd.com ratemds.com wellness.com psychologytoday.com
        npidb.org golden-pages.ie truelocal.com.au yellowpages.com.au localsearch.com.au gelbeseiten.de
        dasoertliche.de dastelefonbuch.de 11880.com goyellow.de meinestadt.de golocal.de branchenbuch.*
        branchenbuchdeutschland.de werkenntdenbesten.de provenexpert.com jameda.de sanego.de anwalt.de myhammer.de
        kennstdueinen.de herold.at firmenabc.at local.ch search.ch treatwell.* pagesjaunes.fr pages24.fr
        petitfute.com lafourchette.com 118712.fr 118000.fr societe.com kompass.com europages.* annuaire-mairie.fr
        allovoisins.com paginasamarillas.es qdq.com 11870.com vulka.es axesor.es einforma.com habitissimo.*
        paginegialle.it paginebianche.it virgilio.it prontopro.it tuttocitta.it reteimprese.it misterimprese.it
        miodottore.it goudengids.nl telefoonboek.nl detelefoongids.nl werkspot.nl zorgkaartnederland.nl iens.nl
        goldenpages.be pagesdor.be goudengids.be pai.pt paginasamarelas.pt racius.com zaask.pt telelistas.net
        guiamais.com.br apontador.com.br panoramafirm.pl pkt.pl znanylekarz.pl oferteo.pl fixly.pl aleo.com
        gowork.pl firmy.cz zlatestranky.cz justdial.com sulekha.com practo.com indiamart.com alignable.com
        crunchbase.com glassdoor.* indeed.*
""",
    "booking": """
        booking.com airbnb.* expedia.* hotels.com agoda.com vrbo.com hostelworld.com opentable.* resy.com thefork.*
        quandoo.* bookatable.* exploretock.com sevenrooms.com zocdoc.com doctolib.* doctena.* doctoralia.*
        topdoctors.* calendly.com cal.com acuityscheduling.com as.me setmore.com simplybook.me simplybook.it
        booksy.com fresha.com vagaro.com styleseat.com mindbodyonline.com mindbody.io glossgenius.com squareup.com
        book.app schedulicity.com genbook.com planity.com salonized.com shore.com timify.com localmed.com
        nexhealth.com getyourguide.* viator.com classpass.com moje-gabinety.pl supersaas.com youcanbook.me
        tidycal.com picktime.com appointy.com
""",
    "ordering": """
        doordash.com ubereats.com uber.com grubhub.com seamless.com postmates.com deliveroo.* just-eat.* justeat.*
        lieferando.* takeaway.com thuisbezorgd.nl pyszne.pl foodora.* foodpanda.* glovoapp.com wolt.com
        skipthedishes.com menulog.* toasttab.com toast.site chownow.com slicelife.com menufy.com beyondmenu.com
        clover.com ifood.com.br rappi.* zomato.com swiggy.com bolt.eu allmenus.com menupages.com singleplatform.com
        order.online spoton.com amazon.* ebay.* etsy.com mercadolibre.* mercadolivre.com.br leboncoin.fr subito.it
        marktplaats.nl olx.* allegro.pl kleinanzeigen.de gumtree.* craigslist.org autotrader.* mobile.de
        autoscout24.* depop.com vinted.* faire.com
""",
}  # fmt: skip

# Suffixes below which every name is one customer's site; the public suffix list does not know these.
BUILDERS: tuple[str, ...] = tuple(
    """
    wordpress.com weebly.com squarespace.com godaddysites.com jimdo.com jimdofree.com jimdosite.com jimdoweb.com
    webnode.com webnode.page webnode.de webnode.fr webnode.es webnode.it webnode.nl webnode.pt webnode.pl
    webnode.co.uk mystrikingly.com strikingly.com yolasite.com site123.me ueniweb.com websites.co.in wix.com
    e-monsite.com over-blog.com canalblog.com wifeo.com pagesperso-orange.fr webador.com webador.de webador.nl
    webador.fr webador.es webador.co.uk webadorsite.com page4.com beepworld.de homepage.t-online.de npage.de
    webselfsite.net sitew.com sitew.fr altervista.org blogspot.com blogspot.de blogspot.fr blogspot.co.uk
    typepad.com livejournal.com tilda.ws ukit.me mozello.com mobirisesite.com duda.co multiscreensite.com vpweb.com
    homestead.com tripod.com angelfire.com webs.com bravesites.com doodlekit.com webstarts.com snack.website
    zyrosite.com hostingersite.com builderallwebsite.com leadpages.co unbounce.com clickfunnels.com kartra.com
    mykajabi.com teachable.com thinkific.com podia.com bigcartel.com ecwid.com company.site storenvy.com
    mitiendanube.com lojavirtualnuvem.com.br loja2.com.br
""".split()  # noqa: SIM905 a list of names reads best as names
)


@cache
def _groups() -> dict[str, str]:
    return {host: group for group, hosts in HOSTS.items() for host in hosts.split()}


def shared_group(host: str, registrable: str) -> str | None:
    """Name the group of shared hosts that a host belongs to; None when it belongs to nobody but its owner."""
    groups = _groups()
    labels = host.split(".")
    for start in range(len(labels) - 1):
        group = groups.get(".".join(labels[start:]))
        if group:
            return group
    return groups.get(f"{registrable.partition('.')[0]}.*")
