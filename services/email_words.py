"""Email words: which addresses are nobody's, which are a role's, and which mailboxes anybody can have."""

from __future__ import annotations

import re

from services.contacts_words import words

# Mailboxes that are free for all, so the domain says nothing about the business.
FREE_MAIL = words(
    """
    aim.com aol.com arcor.de att.net bellsouth.net bluewin.ch btconnect.com btinternet.com charter.net comcast.net
    cox.net earthlink.net email.cz fastmail.com free.fr freemail.hu freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de
    gmx.net googlemail.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl hushmail.com
    icloud.com inbox.com interia.pl juno.com laposte.net libero.it live.be live.co.uk live.com live.fr live.nl mac.com
    mail.com mail.ru me.com msn.com netzero.net o2.pl onet.pl op.pl optonline.net orange.fr outlook.com outlook.de
    outlook.es outlook.fr planet.nl proton.me protonmail.com qq.com rediffmail.com rocketmail.com sapo.pt sbcglobal.net
    seznam.cz sfr.fr shaw.ca sky.com sympatico.ca t-online.de talktalk.net telefonica.net telenet.be terra.es tin.it
    tiscali.it tutanota.com verizon.net virgilio.it virginmedia.com wanadoo.fr web.de windstream.net wp.pl xs4all.nl
    yahoo.ca yahoo.co.in yahoo.co.uk yahoo.com yahoo.com.au yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.ru
    ymail.com ziggo.nl zoho.com 126.com 163.com
    """
)
# First words of addresses that belong to a desk, not to a person.
ROLES = words(
    """
    abuse adsales advertise corrections editorial letters moderator newsroom newstips subs tips webteam
    accounting accounts accueil admin administracao administracion administratie administration administrator
    admissions ads advertising afspraak agence agenda allgemein alumni amministrazione anfrage answers appointment
    appointments asistencia assistance assistenza atencion atendimento ayuda balie bar beratung bestellung bewerbung
    billing biuro boeking book booking bookings bookkeeping boutique branch buchhaltung buero buro business cafe care
    career careers cartas cashier centrala centrale chef city cityclerk clerk client clientes clienti clients clinic
    clinica clinique comercial comm commercial commerciale communication community compliance compras comptabilite
    comunicacion concierge consulta contabilidad contact contacto contacts contactus contato contatti contatto
    controller copyright corporate courses cs customer customercare customers customerservice datenschutz delivery
    demo dental dentist desk development direccion direction direzione director dispatch dmca donate dpo ecommerce
    editor education einkauf email emergency emploi empleo employment empfang engineering enquire enquiries enquiry
    estimates event eventi evento eventos events expedition export facilities facturacion faktura feedback finance
    finanzen firma foia foundation franchise friends frontdesk gdpr general geral gerencia gestion gewinnspiel giving
    grants group groups hallo handel health hello hellothere help helpdesk helpline hi hilfe hola hotel hotline hr
    iletisim impressum info infodesk information informacion informatie informazioni infos inkoop inquire inquiries
    inquiry insurance international intake investor investors invoice invoices it jobs job kanzlei kancelaria kantoor
    karriere kasse kitchen klantenservice kontakt kontor kundenservice kundeservice kundservice kundtjanst lab law
    legal library loja mail mailbox mailorder maintenance manager management market marketing media medical mediation
    membership members merchandise museum negozio news newsletter no-reply noreply notices notification obchod
    office officemanager oficina online op opensource operations order orders ordini ordering owner parts partner
    partners patient patients payments payroll pedidos personal personnel phone pharmacy planning podatki policy post
    postmaster poczta poste praca praktijk praxis prenotazioni presse press prensa privacy privacidad production
    projects promo promotions property pr pt public publicity purchasing quality queries questions quote quotes
    rechnung reception recepcao recepcion recepcja receptie recruiting recruitment redaktion refunds registrar
    registration reklamacje rentals repair repairs reservation reservations reservas reserveringen reservierung
    responsabile returns rezeption rgpd rh rrhh safety sales school secretaria secretariaat secretariat sekretariat
    security segreteria sede serwis service serviceclientes servicedesk servicio servizio shipping shop showroom
    site sklep soporte spares sport staff start stats store student students studio subscribe subscriptions suggestions
    sugerencias support surgery svc teacher team tech technik technical tecnico termin termine ticket tickets tienda
    tours traffic training travel treasurer trade trainer triage turismo umowy uk usa ufficio utility vendas vendite
    ventas venue verkauf verkoop verwaltung vertrieb volunteer volunteers warranty web webadmin webmaster website
    welcome welkom werkplaats werkstatt wholesale wedding weddings willkommen winkel witaj www youth zakelijk
    zamowienia zapisy zentrale zespol
    """
)
# Domains of examples. Everything under example.com, .org, .net is kept for that too; the ending .example is a
# domain like any other here, since made-up worlds live under it.
EXAMPLE_DOMAINS = words(
    """
    abc.com abc.xyz acme.com address.com adresse.com beispiel.de company.com correo.com domain.co domain.com
    domain.de domain.ext domain.net domain.org domain.tld domaine.com domaine.fr domein.nl dominio.com dominio.es
    dominio.it domena.pl ejemplo.com ejemplo.es email.com email.de emailaddress.com emailprovider.com esempio.it
    example.com example.de example.edu example.fr example.net example.org exemple.com exemple.fr exemplo.com
    firma.de foo.bar foo.com fakemail.com host.com hostname.com isp.com mailservice.com
    mydomain.com mycompany.com myemail.com mysite.com mywebsite.com name.com nomail.com provider.com przyklad.pl
    sample.com sitename.com somedomain.com someemail.com somewhere.com test.com test.de test.test url.com voorbeeld.nl
    website.com xxx.xxx xyz.com your-company.com your-domain.com your-email.com your-site.com your-website.com
    companyname.com demolink.org domainname.com loremipsum.com websitename.com yourcompanyname.com
    yourbusiness.com yourcompany.com yourdomain.co yourdomain.com yourdomain.de yourdomain.net yourdomain.org
    youremail.com yourmail.com yoursite.com yourstore.com yourwebsite.com yourwebsitename.com yours.com
    """
)
# First parts that nobody has, whatever the domain.
EXAMPLE_LOCALS = words(
    """
    correo.electronico deine-email deinemail deinname emailaddress exempel firstname firstname.lastname first.last
    firstlast git ihre-email ihremail ihrname imie.nazwisko jouwemail jouwnaam name.surname nome.cognome nombre.apellido
    prenom.nom someone.else tu-correo tucorreo tuemail tunombre twojemail uwemail uwnaam vorname.nachname votre-email
    votre.email votreemail votrenom voornaam.achternaam xxx xxxx xxxxx xxxxxx you your-email your-name your.email
    your.name your_email your_name youraddress youremail youremailaddress youremailhere yourid yourmail yourname
    yourusername
    """
)
# First parts that are an example where the mailbox is free for all.
EXAMPLE_LOCALS_OF_FREE_MAIL = words(
    """
    abc beispiel bob ejemplo email example exemple exemplo foo jane.doe janedoe joe.bloggs john john.doe john.smith
    johndoe johnsmith mail me name max.mustermann maxmustermann mustermann myemail myname sample somebody someone test
    user username
    """
)
# Who makes the page's tools: builders, trackers, widgets, banners, hosts. Their addresses are not the business's.
VENDORS = words(
    """
    1and1.com acquia.com activecampaign.com addthis.com adobe.com akamai.com algolia.com amazonaws.com apple.com
    automattic.com aweber.com bigcommerce.com birdeye.com bitrix24.com bluehost.com booksy.com bugsnag.com calendly.com
    campaignmonitor.com chatra.io cloudflare.com constantcontact.com cookiebot.com cookiefirst.com cookielaw.org
    cookieyes.com crisp.chat datadoghq.com disqus.com doubleclick.net drift.com duda.co dudamobile.com elegantthemes.com
    elementor.com envato.com facebook.com fareharbor.com fontawesome.com fontawesome.io formspree.io formstack.com
    freshchat.com freshdesk.com fullstory.com getresponse.com ghost.org github.com gitlab.com godaddy.com google.com
    googleapis.com googlegroups.com gravatar.com gstatic.com hibu.com hotjar.com hubspot.com ingest.sentry.io
    instagram.com intercom.com intercom.io intercom-mail.com iubenda.com jimdo.com joomla.org jotform.com jquery.com
    klaviyo.com linkedin.com livechat.com livechatinc.com logrocket.com mailchimp.com mailerlite.com mailgun.org
    mandrillapp.com microsoft.com mindbodyonline.com moz.com mozilla.org myfonts.com namecheap.com newrelic.com
    olark.com onetrust.com opencart.com opentable.com osano.com paypal.com pinterest.com podium.com polyfill.io
    prestashop.com privacypolicies.com purechat.com raygun.com rollbar.com rackspace.com revolution-slider.com
    salesforce.com sendgrid.net sendinblue.com sentry.io sentry-next.wixpress.com shopify.com shopifyemail.com
    simplybook.me siteground.com smartsupp.com sparkpost.com square.com squareup.com squarespace.com stripe.com
    sumo.com tawk.to tealium.com termly.io tidio.com tidio.net tiktok.com trackjs.com trustpilot.com tumblr.com
    twitter.com typeform.com typepad.com typo3.org usercentrics.com vagaro.com vimeo.com webflow.com webflow.io
    weebly.com whatsapp.com wix.com wixpress.com woocommerce.com wordpress.com wordpress.org wpengine.com wpml.org
    wufoo.com x.com yext.com yoast.com youtube.com zendesk.com zenfolio.com zohocorp.com zopim.com
    """
)
# In front of the address of whoever made the page.
CREDIT = re.compile(
    r"(?:(?:design|develop|creat|power)ed (?:(?:and|&) \w{4,12} )?by|(?:site|page|web|theme|template)(?: \w{4,12})? by"
    r"|web ?design(?:er)?|umsetzung|r[ée]alisation|realizzazione|vormgeving|realizado por|desarrollado por"
    r"|desenvolvido por|diseño web|projekt i wykonanie)\b[^\n@]{0,40}\Z",
    re.IGNORECASE,
)
# File names look like addresses where a picture is kept in a second size.
FILE_ENDINGS = words(
    "avif bmp css eot gif htm html ico jpeg jpg js json map mjs mp3 mp4 php pdf png svg tif tiff ts ttf webm webp "
    "woff woff2 xml zip"
)
