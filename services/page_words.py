"""Page words: what sites call their pages, in many languages, and how likely such a page names somebody to talk to."""

from __future__ import annotations

# One line an entry: kind, chance, language, phrases. Accents, case and separators do not matter: "über uns" is also
# uber-uns, ÜberUns and %C3%BCber_uns; ue, oe and ae are listed where German writes them. "Our",
# "the" and the like are left out (page_slug.FILLERS). Where two lines disagree about a phrase the first one wins.
TABLE = """
contact  1.0  en    contact, contacts, contact form, get in touch, reach us, talk to us, contact information
contact  1.0  en    contact details, keep in touch, how to reach us, write to us, email us, call us, connect with us
contact  1.0  en    say hello, lets talk
contact  0.8  en    enquiry, enquiries, inquiry, inquiries, enquire, inquire, customer service, get help
contact  0.7  en    appointment, appointments, book appointment, request appointment, make an appointment
contact  0.7  en    schedule appointment, book now, book online, free consultation, request a callback, get a quote
contact  0.7  en    free quote, free estimate, request quote, support, help desk, schedule online, schedule now
contact  1.0  de    kontakt, kontakte, kontaktformular, kontaktdaten, kontaktieren, kontaktaufnahme, ansprechpartner
contact  0.7  de    anfrage, anfragen, termin, termine, terminvereinbarung, termin vereinbaren, terminanfrage
contact  1.0  fr    contact, contactez nous, contacter, coordonnees, nous joindre
contact  0.7  fr    rendez vous, prendre rendez vous, prise de rendez vous, demande de devis, devis gratuit
contact  1.0  es    contacto, contactos, contactanos, contactenos, contactar, contacta, datos de contacto
contact  0.7  es    pedir cita, cita previa, solicitar cita, presupuesto, pide presupuesto, atencion al cliente
contact  1.0  it    contatti, contatto, contattaci, contattateci, recapiti, scrivici
contact  0.7  it    prenota, prenotazioni, preventivo, richiedi preventivo, assistenza clienti, appuntamento
contact  1.0  nl    contact, contacteer ons, contactgegevens, contactformulier, neem contact op, contact opnemen
contact  0.7  nl    afspraak, afspraak maken, offerte, offerte aanvragen, klantenservice, bereikbaarheid
contact  1.0  pt    contato, contatos, contacto, contactos, fale conosco, fale connosco, entre em contato, contate nos
contact  0.7  pt    agendamento, agende, marcar consulta, orcamento, atendimento, solicite orcamento
contact  1.0  pl    kontakt, kontakty, skontaktuj sie, napisz do nas, dane kontaktowe, formularz kontaktowy
contact  0.7  pl    umow wizyte, rejestracja wizyt, zapytanie, wycena, rezerwacja
contact  1.0  other kontakta oss, kontakt oss, kontakta, kontakten, kontaktuppgifter, kontaktinfo, yhteystiedot
contact  1.0  other ota yhteytta, yhteys, kontaktid, vota uhendust, kontaktujte nas, kontaktni formular
contact  1.0  other kde nas najdete, kapcsolat, elerhetoseg, elerhetosegek, contacteaza ne, contacteaza
contact  1.0  other date de contact, kontaktirajte nas, kontaktiraj, stopite v stik, kontakti, iletisim, bize ulasin
contact  1.0  other bize ulas, iletisim bilgileri, контакты, контакт, контакти, свяжитесь с нами, обратная связь
contact  1.0  other связаться с нами, επικοινωνια, επικοινωνηστε μαζι μας, epikoinonia, お問い合わせ, お問合せ
contact  1.0  other 問い合わせ, 联系我们, 聯絡我們, 联系方式, 문의, 연락처, toiawase, otoiawase, اتصل بنا, تواصل معنا
contact  1.0  other צור קשר, יצירת קשר, kontaktai, susisiekite, sazinies ar mums
about    0.7  en    about, who we are, our story, company, our practice, our firm, company profile, history, mission
about    0.7  en    our values, why us, why choose us, our business, our office, our clinic, our agency, our studio
about    0.7  en    our shop, corporate, profile, our approach, approach
about    0.7  de    ueber uns, uber uns, wir ueber uns, wir uber uns, ueber mich, uber mich, unternehmen, firma, praxis
about    0.7  de    wir, wer wir sind, das sind wir, unternehmensprofil, geschichte, philosophie, kanzlei
about    0.7  fr    a propos, a propos de nous, qui sommes nous, notre histoire, entreprise, societe, presentation
about    0.7  fr    cabinet, notre agence, nos valeurs, apropos
about    0.7  es    sobre nosotros, quienes somos, nosotros, acerca de, acerca de nosotros, empresa, conocenos
about    0.7  es    sobre mi, historia, quien soy, la clinica, nuestra clinica
about    0.7  it    chi siamo, chi sono, azienda, lo studio, storia, societa
about    0.7  nl    over ons, over mij, wie zijn wij, wie we zijn, ons verhaal, bedrijf, het bedrijf, ons kantoor
about    0.7  nl    wie zijn we
about    0.7  pt    sobre, quem somos, sobre a empresa, institucional
about    0.7  pl    o nas, o firmie, o mnie, kim jestesmy, firma, o gabinecie, o kancelarii
about    0.7  other om oss, om os, om mig, om meg, om foretaget, om virksomheden, hvem er vi, om firmaet, vilka vi ar
about    0.7  other meista, tietoa meista, yritys, meist, ettevottest, o spolecnosti, o firme, kdo jsme, kto sme
about    0.7  other o spolocnosti, rolunk, bemutatkozas, cegunk, despre noi, despre, cine suntem, compania, o nama
about    0.7  other tko smo, o podjetju, o tvrtki, ko smo, hakkimizda, hakkinda, biz kimiz, kurumsal, о нас, о компании
about    0.7  other о клинике, про нас, про компанию, за нас, o kompanii, o-nas, σχετικα με εμας, ποιοι ειμαστε
about    0.7  other η εταιρεια, etaireia, 会社概要, 会社案内, 企業情報, 当院について, 关于我们, 關於我們, 公司简介
about    0.7  other 회사소개, kaisha, gaiyou, outline, من نحن, عن الشركة, אודות, מי אנחנו
team     0.8  en    team, meet the team, meet our team, staff, people, leadership, management, board, attorneys
team     0.8  en    lawyers, doctors, meet the doctor, dentists, physicians, providers, agents, partners, associates
team     0.8  en    professionals, staff directory, directory, meet the staff, founders, founder, owner, meet the owner
team     0.8  en    who is who, meet us
team     0.7  en    dr, doctor, meet dr, about dr, attorney, lawyer, bio, biography, crew, executive team, trainers
team     0.7  en    instructors
team     0.8  de    team, mitarbeiter, mitarbeiterinnen, aerzte, arzte, anwaelte, anwalte, rechtsanwaelte
team     0.8  de    ansprechpartnerinnen, geschaeftsfuehrung, geschaftsfuhrung, berater, praxisteam, teammitglieder
team     0.8  de    vorstand
team     0.8  fr    equipe, nos equipes, avocats, medecins, collaborateurs, praticiens
team     0.8  es    equipo, equipo humano, profesionales, abogados, medicos, equipo medico, socios
team     0.8  it    professionisti, avvocati, medici, collaboratori
team     0.8  nl    het team, medewerkers, onze mensen, team leden, advocaten, artsen, tandartsen, wie is wie
team     0.8  pt    equipe, equipa, corpo clinico, profissionais, advogados, socios
team     0.8  pl    zespol, pracownicy, lekarze, adwokaci, kadra, specjalisci, ludzie, zarzad
team     0.8  other medarbetare, medarbejdere, ansatte, personalen, teamet, henkilosto, henkilokunta, tiimi, meeskond
team     0.8  other tym, nas tim, lide, csapat, csapatunk, munkatarsak, munkatarsaink, orvosaink, echipa
team     0.8  other echipa noastra, ekibimiz, ekip, kadromuz, команда, наша команда, сотрудники, врачи, специалисты
team     0.8  other лікарі, η ομαδα μας, ομαδα, komanda, スタッフ, スタッフ紹介, 医師紹介, 团队, 我们的团队, 의료진
location 0.75 en    location, locations, find us, directions, offices, branches, store locator, stores, where we are
location 0.75 en    where to find us, visit us, how to find us, map, hours, opening hours, hours and location
location 0.75 en    locations and hours, store finder, find a store, find a location, dealers, clinics, visit
location 0.75 de    standort, standorte, anfahrt, filialen, filiale, niederlassungen, so finden sie uns, lageplan
location 0.75 de    wegbeschreibung, oeffnungszeiten, offnungszeiten, sprechzeiten, adresse, haendler, handler
location 0.75 de    filialfinder
location 0.75 fr    agences, adresse, adresses, acces, plan d acces, nous trouver, ou nous trouver, magasins, horaires
location 0.75 fr    nos bureaux, implantations, points de vente, localisation
location 0.75 es    sedes, ubicacion, ubicaciones, donde estamos, como llegar, oficinas, tiendas, sucursales
location 0.75 es    localizacion, horarios, horario, encuentranos, clinicas, delegaciones
location 0.75 it    sedi, sede, dove siamo, come raggiungerci, punti vendita, negozi, orari, dove trovarci, filiali
location 0.75 nl    vestigingen, vestiging, locatie, locaties, route, routebeschrijving, openingstijden, winkels
location 0.75 nl    kantoren, filialen
location 0.75 pt    localizacao, onde estamos, lojas, unidades, como chegar, filiais, enderecos, horarios, moradas
location 0.75 pl    lokalizacja, lokalizacje, oddzialy, placowki, dojazd, jak dojechac, mapa, mapa dojazdu, adres
location 0.75 pl    godziny otwarcia
location 0.75 other hitta hit, hitta oss, butiker, butikker, find vej, afdelinger, avdelinger, oppettider, abningstider
location 0.75 other kontor, toimipisteet, myymalat, sijainti, pobocky, prodejny, provozovny, uzletek, telephely
location 0.75 other locatii, unde ne gasiti, sucursale, subelerimiz, subeler, филиалы, адреса, как добраться, магазины
location 0.75 other アクセス, 交通案内, 店舗一覧, 店舗情報, 门店, 오시는길
legal    0.9  de    impressum, imprint, anbieterkennzeichnung, impressum datenschutz, pflichtangaben, offenlegung
legal    0.9  de    rechtliche hinweise, rechtliches
legal    0.8  fr    mentions legales, mention legale, informations legales, mentions
legal    0.8  es    aviso legal, nota legal, informacion legal, textos legales, avisos legales
legal    0.8  it    note legali, nota legale, informazioni legali, dati societari, colofone
legal    0.8  nl    colofon, juridische informatie, bedrijfsgegevens, wettelijke vermeldingen
legal    0.8  pt,pl nota legal, informacoes legais, informacao legal, nota prawna, informacje prawne, dane firmy
legal    0.8  other impresum, tiraz, jogi nyilatkozat, nota legala, informatii legale, pravni informace, 特定商取引法
legal    0.8  other 特定商取引法に基づく表記, tokushoho, tokusho
legal    0.6  en    legal notice, legal, legal information, company information, imprint, disclosures, hipaa, policies
legal    0.4  en    privacy, privacy policy, privacy notice, privacy statement, data protection, gdpr
legal    0.4  en    notice of privacy practices
legal    0.25 en    terms, terms and conditions, terms of service, terms of use, tos, conditions, disclaimer
legal    0.25 en    accessibility
legal    0.15 en    cookies, cookie policy, refund policy, shipping policy, return policy, returns, dmca, cookie
legal    0.15 en    user agreement
legal    0.45 de    datenschutz, datenschutzerklaerung, datenschutzerklarung, datenschutzhinweise, datenschutzhinweis
legal    0.3  de    agb, agbs, nutzungsbedingungen, allgemeine geschaeftsbedingungen, widerruf, widerrufsbelehrung
legal    0.3  de    versand
legal    0.4  fr    confidentialite, politique de confidentialite, donnees personnelles, rgpd, vie privee
legal    0.4  fr    protection des donnees
legal    0.3  fr    cgv, cgu, conditions generales, conditions generales de vente, politique de cookies
legal    0.3  fr    gestion des cookies
legal    0.4  es    privacidad, proteccion de datos, politica privacidad
legal    0.2  es    politica cookies, terminos, terminos y condiciones, condiciones, condiciones de uso
legal    0.4  it    informativa privacy, informativa sulla privacy, politica sulla privacy, informativa
legal    0.4  it    privacy e cookie
legal    0.2  it    termini e condizioni, condizioni generali, termini, condizioni, condizioni di vendita
legal    0.2  it    informativa cookie
legal    0.4  nl    privacybeleid, privacyverklaring, privacy verklaring, avg
legal    0.2  nl    algemene voorwaarden, voorwaarden, cookiebeleid, gebruiksvoorwaarden, leveringsvoorwaarden
legal    0.4  pt    privacidade, politica de privacidade, protecao de dados, lgpd, rgpd
legal    0.2  pt    termos, termos de uso, termos e condicoes, livro de reclamacoes, termos de servico
legal    0.4  pl    prywatnosc, polityka prywatnosci, rodo, ochrona danych osobowych, klauzula informacyjna
legal    0.3  pl    regulamin, warunki, polityka cookies, regulamin sklepu, zwroty i reklamacje
legal    0.4  other fi integritetspolicy, privatlivspolitik, personvern, tietosuoja, tietosuojaseloste, fi integritet
legal    0.4  other persondatapolitik
legal    0.25 other cs kopvillkor, villkor, handelsbetingelser, vilkar, obchodni podminky, ochrana osobnich udaju
legal    0.25 other cs gdpr
legal    0.3  other adatvedelem, aszf, termeni si conditii, confidentialitate, kvkk, gizlilik
legal    0.3  other политика конфиденциальности
careers  0.4  en    careers, career, jobs, job, join us, join our team, work with us, vacancies, employment, hiring
careers  0.4  en    openings, were hiring, we are hiring, job openings, open positions, work for us, opportunities
careers  0.4  en    internships, recruitment
careers  0.4  de    karriere, jobs, stellenangebote, stellen, offene stellen, ausbildung, bewerbung, arbeiten bei uns
careers  0.4  de    stellenangebot
careers  0.4  fr    carrieres, carriere, recrutement, emploi, emplois, nous rejoindre, rejoignez nous, offres d emploi
careers  0.4  fr    on recrute
careers  0.4  es    empleo, trabaja con nosotros, trabajo, ofertas de empleo, unete, bolsa de trabajo, carreras
careers  0.4  es    unete al equipo
careers  0.4  it    lavora con noi, carriere, lavoro, offerte di lavoro, posizioni aperte, candidati, unisciti a noi
careers  0.4  nl    vacatures, vacature, werken bij, werkenbij, carriere, banen, stages, solliciteren
careers  0.4  pt    trabalhe conosco, carreiras, vagas, recrutamento, emprego, junte se a nos, trabalhe connosco
careers  0.4  pt    carreira
careers  0.4  pl    kariera, praca, oferty pracy, dolacz do nas, rekrutacja, pracuj z nami, wolne stanowiska
careers  0.4  other jobba hos oss, lediga jobb, ledige stillinger, tyopaikat, avoimet tyopaikat, volna mista, allasok
careers  0.4  other cariere, ledige job, kariyer, вакансии, карьера, 採用情報, 採用, 求人, 招聘, 加入我们, recruit
careers  0.4  other saiyo
services 0.3  en    services, service, what we do, practice areas, solutions, treatments, procedures, specialties
services 0.3  en    areas of practice, expertise, capabilities, our work, service areas, areas we serve, treatment
services 0.3  en    classes, menu
services 0.3  de    leistungen, leistung, dienstleistungen, angebot, angebote, behandlungen, service, schwerpunkte
services 0.3  de    leistungsspektrum, rechtsgebiete, therapien, loesungen, losungen, kompetenzen, speisekarte
services 0.3  fr    services, prestations, savoir faire, expertises, soins, activites, metiers
services 0.3  es    servicios, tratamientos, especialidades, soluciones, que hacemos, areas de practica
services 0.3  it    servizi, cosa facciamo, trattamenti, prestazioni, soluzioni, attivita, specialita, competenze
services 0.3  nl    diensten, wat we doen, behandelingen, oplossingen, specialisaties, dienstverlening, aanbod
services 0.3  pt    servicos, tratamentos, o que fazemos, solucoes, especialidades, areas de atuacao
services 0.3  pl    uslugi, oferta, zabiegi, leczenie, specjalizacje, co robimy, zakres uslug
services 0.3  other tjanster, ydelser, tjenester, palvelut, sluzby, szolgaltatasok, servicii, hizmetler, hizmetlerimiz
services 0.3  other usluge, storitve, услуги, послуги, υπηρεσιες, 診療案内, 事業内容, サービス, 服务, 서비스
pricing  0.25 en    pricing, prices, price list, rates, fees, plans, cost, costs, packages, price, membership, specials
pricing  0.25 en    financing
pricing  0.25 de    preise, preisliste, kosten, tarife, honorar, preis, konditionen
pricing  0.25 fr,es tarifs, tarif, prix, honoraires, precios, tarifas, precio, lista de precios, honorarios
pricing  0.25 it,nl prezzi, listino, listino prezzi, tariffe, costi, prijzen, tarieven, prijslijst, kosten, tarief
pricing  0.25 pt,pl precos, precario, planos, valores, planos e precos, cennik, ceny, koszty, cennik uslug
pricing  0.25 other priser, prislista, prisliste, hinnasto, hinnat, cenik, arak, arlista, preturi, fiyatlar, цены
pricing  0.25 other прайс, τιμες, 料金
blog     0.15 en    blog, news, articles, posts, press, press releases, newsroom, insights, resources, stories, updates
blog     0.15 en    journal, article, post, latest news, magazine, events, event, newsletter, archive, archives
blog     0.15 en    case studies
blog     0.15 de    aktuelles, neuigkeiten, nachrichten, news, presse, magazin, ratgeber, beitraege, beitrage, blog
blog     0.15 de    veranstaltungen
blog     0.15 fr    actualites, actualite, actus, actu, presse, evenements, conseils, nouvelles, revue de presse
blog     0.15 es    noticias, actualidad, articulos, prensa, novedades, eventos, consejos, sala de prensa
blog     0.15 it    notizie, novita, articoli, rassegna stampa, eventi, comunicati stampa, approfondimenti
blog     0.15 nl    nieuws, nieuwsberichten, artikelen, actueel, pers, evenementen, nieuwsbrief, het laatste nieuws
blog     0.15 pt    noticias, novidades, artigos, imprensa, eventos, dicas, blogue
blog     0.15 pl    aktualnosci, wiadomosci, artykuly, porady, wydarzenia, prasa, nowosci, poradnik
blog     0.15 other nyheter, nyheder, aktuellt, ajankohtaista, uutiset, aktuality, novinky, hirek, stiri, noutati
blog     0.15 other haberler, новости, статьи, νεα, お知らせ, ブログ, 新着情報, 新闻, 新闻动态, 공지사항, блог, novosti
blog     0.15 other novice, duyurular
blog     0.03 any   tag, tags, category, categories, author, authors, topic, topics, kategorie, categorie, categoria
blog     0.03 any   kategoria, schlagwort
blog     0.02 any   feed, rss, atom, comments, comment page, trackback, amp, etiqueta, etiquette, autor, auteur, autore
blog     0.02 any   kategori
product  0.1  en    products, product, shop, store, catalog, catalogue, collections, collection, item, items
product  0.1  en    product category, buy, inventory, listing, listings, properties, property, vehicles, for sale
product  0.1  en    brands, brand, dp, pd
product  0.1  de    produkte, produkt, shop, onlineshop, artikel, katalog, sortiment, marken, produktkategorie, webshop
product  0.1  de    immobilien
product  0.1  fr    produits, produit, boutique, catalogue, categorie produit, marques, annonces, biens
product  0.1  es    productos, producto, tienda, catalogo, tienda online, categoria producto, marcas, inmuebles
product  0.1  it    prodotti, prodotto, catalogo, negozio, categoria prodotto, marchi, immobili, collezioni
product  0.1  nl    producten, product, winkel, webwinkel, assortiment, product categorie, merken, aanbod woningen
product  0.1  pt    produtos, produto, loja, loja online, catalogo, categoria produto, marcas, imoveis
product  0.1  pl    produkty, produkt, sklep, sklep internetowy, katalog, kategoria produktu, marki, nieruchomosci
product  0.1  other produkter, varor, butik, tuotteet, verkkokauppa, vyrobky, obchod, eshop, termekek, produse
product  0.1  other magazin online, urunler, urun, magaza, товары, каталог, продукция, προϊοντα, 商品, 製品情報, 产品
product  0.1  other 产品中心, 제품
product  0.03 any   cart, checkout, basket, wishlist, account, warenkorb, kasse, panier, carrito, carrello, koszyk
product  0.03 any   winkelwagen
media    0.08 en    gallery, galleries, photos, photo gallery, videos, video, media, images, portfolio, photo
media    0.08 en    before and after, downloads
media    0.08 de    galerie, bilder, fotos, bildergalerie, fotogalerie, mediathek, referenzen, download, downloads
media    0.08 de    rundgang
media    0.08 fr,es galerie photos, phototheque, photos, realisations, galeria, fotos, galeria de fotos, portafolio
media    0.08 it,nl galleria, foto, foto gallery, galleria fotografica, fotogallery, fotos, galerij, fotoalbum, beelden
media    0.08 pt,pl galeria, fotos, galeria de fotos, portfolio, zdjecia, galeria zdjec, realizacje, filmy
media    0.08 other galleri, bildgalleri, kuvat, fotky, galerija, фото, галерея, видео, ギャラリー, galeri
media    0.01 any   wp content, wp includes, uploads, upload, attachment, attachments, assets, static, files, cdn, img
media    0.01 any   sitemap, wp json
home     0.75 any   home, index, homepage, main, start, startseite, accueil, inicio, strona glowna, pagina inicial
home     0.75 any   default, pagina principal, hjem, hem, etusivu, domu, uvod, kezdolap, acasa, anasayfa, главная
home     0.75 any   ホーム, welcome, willkommen
"""  # noqa: RUF001
