"""Technology evidence: one line for each sign by which something is recognised in a page.

Where a sign is looked for:
  generator  the start of what a meta generator says
  source     the addresses of scripts, styles, frames and images
  address    these and the addresses that visitors can go to, with a dot before every host
  script     what stands inside script elements
  page       the whole page as it was sent, comments and attributes included; the dearest, so for nothing else to do
All signs are in lower case. Several lines may tell of one thing; one of them is enough.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Group = Literal["technology", "analytics", "widget", "booking"]
Where = Literal["generator", "source", "address", "script", "page"]


class Sign(NamedTuple):
    """What tells of one thing, and where it stands."""

    name: str
    group: Group
    where: Where
    text: str


SIGNS: tuple[Sign, ...] = (
    # Site builders and content management
    Sign("WordPress", "technology", "generator", "wordpress"),
    Sign("WordPress", "technology", "source", "/wp-content/"),
    Sign("WordPress", "technology", "source", "/wp-includes/"),
    Sign("WordPress", "technology", "source", "/wp-json/"),
    Sign("Elementor", "technology", "generator", "elementor"),
    Sign("Elementor", "technology", "source", "/plugins/elementor"),
    Sign("Elementor", "technology", "page", "data-elementor-type="),
    Sign("Divi", "technology", "generator", "divi"),
    Sign("Divi", "technology", "source", "/themes/divi/"),
    Sign("Divi", "technology", "source", "/plugins/divi-builder/"),
    Sign("WooCommerce", "technology", "generator", "woocommerce"),
    Sign("WooCommerce", "technology", "source", "/plugins/woocommerce/"),
    Sign("Yoast", "technology", "page", "optimized with the yoast seo"),
    Sign("Yoast", "technology", "page", "yoast-schema-graph"),
    Sign("Rank Math", "technology", "page", "search engine optimization by rank math"),
    Sign("Rank Math", "technology", "page", "rank-math-schema"),
    Sign("All in One SEO", "technology", "generator", "all in one seo"),
    Sign("Avada", "technology", "source", "/themes/avada/"),
    Sign("Astra", "technology", "source", "/themes/astra/"),
    Sign("GeneratePress", "technology", "source", "/themes/generatepress/"),
    Sign("OceanWP", "technology", "source", "/themes/oceanwp/"),
    Sign("Kadence", "technology", "source", "/themes/kadence/"),
    Sign("Beaver Builder", "technology", "source", "/plugins/bb-plugin/"),
    Sign("Beaver Builder", "technology", "source", "/plugins/beaver-builder"),
    Sign("WPBakery", "technology", "generator", "powered by wpbakery"),
    Sign("WPBakery", "technology", "source", "/plugins/js_composer/"),
    Sign("Oxygen", "technology", "source", "/plugins/oxygen/"),
    Sign("Slider Revolution", "technology", "generator", "powered by slider revolution"),
    Sign("Slider Revolution", "technology", "source", "/plugins/revslider/"),
    Sign("WPML", "technology", "generator", "wpml"),
    Sign("WPML", "technology", "source", "/plugins/sitepress-multilingual"),
    Sign("Contact Form 7", "technology", "source", "/plugins/contact-form-7/"),
    Sign("WPForms", "technology", "source", "/plugins/wpforms"),
    Sign("Gravity Forms", "technology", "source", "/plugins/gravityforms/"),
    Sign("Jetpack", "technology", "source", "/plugins/jetpack/"),
    Sign("WP Rocket", "technology", "source", "/cache/min/1/wp-content/"),
    Sign("Wix", "technology", "generator", "wix.com"),
    Sign("Wix", "technology", "source", "//static.wixstatic.com/"),
    Sign("Wix", "technology", "source", "//static.parastorage.com/"),
    Sign("Squarespace", "technology", "generator", "squarespace"),
    Sign("Squarespace", "technology", "source", "//static1.squarespace.com/"),
    Sign("Squarespace", "technology", "source", "//assets.squarespace.com/"),
    Sign("Shopify", "technology", "generator", "shopify"),
    Sign("Shopify", "technology", "source", "//cdn.shopify.com/"),
    Sign("Shopify", "technology", "source", "/cdn/shopifycloud/"),
    Sign("Webflow", "technology", "generator", "webflow"),
    Sign("Webflow", "technology", "page", "data-wf-site="),
    Sign("Webflow", "technology", "source", ".website-files.com/"),
    Sign("Joomla", "technology", "generator", "joomla"),
    Sign("Joomla", "technology", "source", "/media/jui/"),
    Sign("Joomla", "technology", "source", "/media/system/js/core"),
    Sign("Drupal", "technology", "generator", "drupal"),
    Sign("Drupal", "technology", "source", "/sites/default/files/"),
    Sign("Drupal", "technology", "page", "data-drupal-selector="),
    Sign("Weebly", "technology", "generator", "weebly"),
    Sign("Weebly", "technology", "source", ".editmysite.com/"),
    Sign("GoDaddy Website Builder", "technology", "generator", "starfield technologies; go daddy website builder"),
    Sign("GoDaddy Website Builder", "technology", "source", "//img1.wsimg.com/blobby/"),
    Sign("Duda", "technology", "source", ".multiscreensite.com/"),
    Sign("Duda", "technology", "source", ".cdn-website.com/"),
    Sign("Jimdo", "technology", "generator", "jimdo"),
    Sign("Jimdo", "technology", "source", ".jimstatic.com/"),
    Sign("IONOS MyWebsite", "technology", "generator", "ionos mywebsite"),
    Sign("IONOS MyWebsite", "technology", "source", "//cdn.website-start.de/"),
    Sign("STRATO", "technology", "generator", "strato"),
    Sign("Site.pro", "technology", "generator", "site.pro"),
    Sign("Strikingly", "technology", "source", ".strikinglycdn.com/"),
    Sign("Tilda", "technology", "source", "tildacdn."),
    Sign("Carrd", "technology", "page", "built with carrd"),
    Sign("Framer", "technology", "generator", "framer"),
    Sign("Framer", "technology", "source", "//framerusercontent.com/"),
    Sign("Google Sites", "technology", "source", "//sites.google.com/"),
    Sign("Blogger", "technology", "generator", "blogger"),
    Sign("Ghost", "technology", "generator", "ghost"),
    Sign("TYPO3", "technology", "generator", "typo3"),
    Sign("TYPO3", "technology", "source", "/typo3conf/"),
    Sign("TYPO3", "technology", "source", "/typo3temp/"),
    Sign("Contao", "technology", "generator", "contao"),
    Sign("Concrete CMS", "technology", "generator", "concrete"),
    Sign("Craft CMS", "technology", "generator", "craft cms"),
    Sign("SilverStripe", "technology", "generator", "silverstripe"),
    Sign("MODX", "technology", "generator", "modx"),
    Sign("Umbraco", "technology", "generator", "umbraco"),
    Sign("DNN", "technology", "generator", "dotnetnuke"),
    Sign("DNN", "technology", "source", "/desktopmodules/"),
    Sign("Sitefinity", "technology", "generator", "sitefinity"),
    Sign("Kentico", "technology", "source", "/cmspages/getresource.ashx"),
    Sign("REDAXO", "technology", "generator", "redaxo"),
    Sign("Webnode", "technology", "generator", "webnode"),
    Sign("Hugo", "technology", "generator", "hugo"),
    Sign("Jekyll", "technology", "generator", "jekyll"),
    Sign("Gatsby", "technology", "generator", "gatsby"),
    Sign("Gatsby", "technology", "page", 'id="___gatsby"'),
    Sign("Astro", "technology", "generator", "astro"),
    Sign("Docusaurus", "technology", "generator", "docusaurus"),
    Sign("HubSpot CMS", "technology", "generator", "hubspot"),
    Sign("Microsoft FrontPage", "technology", "generator", "microsoft frontpage"),
    Sign("Adobe Muse", "technology", "generator", "muse"),
    # Shops
    Sign("PrestaShop", "technology", "generator", "prestashop"),
    Sign("Magento", "technology", "source", "/static/version"),
    Sign("Magento", "technology", "source", "/skin/frontend/"),
    Sign("OpenCart", "technology", "source", "catalog/view/theme/"),
    Sign("BigCommerce", "technology", "source", ".bigcommerce.com/"),
    Sign("Shopware", "technology", "source", "/bundles/storefront/"),
    Sign("Ecwid", "technology", "source", "//app.ecwid.com/"),
    # Frameworks and what pages are made with
    Sign("Next.js", "technology", "source", "/_next/static/"),
    Sign("Nuxt", "technology", "source", "/_nuxt/"),
    Sign("Angular", "technology", "page", " ng-version="),
    Sign("Bootstrap", "technology", "source", "bootstrap.min."),
    Sign("Bootstrap", "technology", "source", "/bootstrap.css"),
    Sign("jQuery", "technology", "source", "jquery"),
    Sign("Font Awesome", "technology", "source", "fontawesome"),
    Sign("Font Awesome", "technology", "source", "font-awesome"),
    Sign("Google Fonts", "technology", "source", "//fonts.googleapis.com/"),
    Sign("Adobe Fonts", "technology", "source", "//use.typekit.net/"),
    Sign("Google Maps", "technology", "source", "//maps.googleapis.com/"),
    Sign("Google Maps", "technology", "source", "google.com/maps/embed"),
    Sign("reCAPTCHA", "technology", "source", "/recaptcha/api"),
    Sign("reCAPTCHA", "technology", "source", "/recaptcha/enterprise"),
    Sign("hCaptcha", "technology", "source", "//js.hcaptcha.com/"),
    Sign("Stripe", "technology", "source", "//js.stripe.com/"),
    Sign("PayPal", "technology", "source", "paypal.com/sdk/"),
    Sign("Cloudflare", "technology", "source", "/cdn-cgi/"),
)
