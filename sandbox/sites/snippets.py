"""Pieces that site builders leave in their pages: builder marks, styles, analytics and widgets."""

from __future__ import annotations

PLAIN_STYLE = (
    "<style>body{font:16px/1.5 Georgia,serif;margin:0 auto;max-width:60em;padding:1em}"
    "nav a{margin-right:1em}footer{border-top:1px solid #ccc;margin-top:2em;color:#666}</style>"
)
WORDPRESS_HEAD = (
    '<meta name="generator" content="WordPress 6.{minor}">\n'
    '<link rel="https://api.w.org/" href="http://{host}/wp-json/">\n'
    '<link rel="EditURI" type="application/rsd+xml" title="RSD" href="http://{host}/xmlrpc.php?rsd">\n'
    '<link rel="alternate" type="application/rss+xml" title="Feed" href="http://{host}/feed/">\n'
    '<link rel="stylesheet" id="theme-css" href="http://{host}/wp-content/themes/harbor/style.css?ver=2.{minor}">\n'
    '<link rel="stylesheet" href="http://{host}/wp-content/plugins/contact-form-7/includes/css/styles.css?ver=5.9">\n'
    '<script src="http://{host}/wp-includes/js/jquery/jquery.min.js?ver=3.7.1" id="jquery-core-js"></script>\n'
)
YOAST = (
    "<!-- This site is optimized with the Yoast SEO plugin v2{minor}.1 - https://yoast.com/wordpress/plugins/seo/ -->\n"
    '<meta name="robots" content="index, follow, max-image-preview:large, max-snippet:-1">\n'
)
ELEMENTOR = '<link rel="stylesheet" href="http://{host}/wp-content/plugins/elementor/assets/css/frontend.min.css?ver=3.2{minor}">\n'
WORDPRESS_STYLE = (
    "<style id='global-styles-inline-css'>:root{"
    + "".join(
        f"--wp--preset--color--shade-{number}:#{number * 4369:06x};--wp--preset--spacing--{number}:{number / 10}rem;"
        for number in range(60)
    )
    + "}</style>\n"
)
WORDPRESS_END = (
    '<script src="http://{host}/wp-content/plugins/contact-form-7/includes/js/index.js?ver=5.9"></script>\n'
    '<script src="http://{host}/wp-includes/js/wp-embed.min.js?ver=6.{minor}"></script>\n'
)
WIX_HEAD = (
    '<meta name="generator" content="Wix.com Website Builder">\n'
    '<link rel="preconnect" href="https://static.wixstatic.com/">\n'
    '<meta http-equiv="X-Wix-Meta-Site-Id" content="{mark}">\n'
    '<meta http-equiv="X-Wix-Published-Version" content="{minor}41">\n'
)
WIX_STYLE = (
    '<style data-href="https://static.wixstatic.com/main.min.css">'
    + "".join(
        f"#comp-l{number:04x}{{grid-area:{number}/1/{number + 1}/2;margin:0 calc((100% - 980px)*.5)}}"
        for number in range(90)
    )
    + "</style>\n"
)
WIX_END = (
    '<script type="application/json" id="wix-warmup-data">{{"platform":{{"siteId":"{mark}","features":['
    + ",".join(f'"feature{number}"' for number in range(150))
    + "]}}}}</script>\n"
    '<img src="https://static.wixstatic.com/media/{mark}~mv2.png/v1/fill/w_120,h_80/logo.png" alt="">\n'
)
ANALYTICS = (
    '<script async src="https://www.googletagmanager.com/gtag/js?id=G-{mark}"></script>\n'
    "<script>window.dataLayer=window.dataLayer||[];function gtag(){{dataLayer.push(arguments);}}"
    "gtag('js',new Date());gtag('config','G-{mark}');</script>\n",
    "<script>!function(f,b){{f.fbq=function(){{}};}}(window,document);fbq('init','{digits}');fbq('track','PageView');"
    '</script><noscript><img height="1" width="1" alt="" '
    'src="https://www.facebook.com/tr?id={digits}&amp;ev=PageView&amp;noscript=1"></noscript>\n',
    "<script>window.intercomSettings={{app_id:'{mark}'}};</script>\n",
    '<script id="hs-script-loader" async defer src="https://js.hs-scripts.com/{digits}.js"></script>\n',
    "",
    "",
)
