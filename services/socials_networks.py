"""Socials networks: where profiles live, how they are written, and what beside them is no profile."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from services.contacts_words import words


@dataclass(frozen=True, slots=True)
class Network:
    """One network. `profile` is matched against the path; `written` puts its first group, or groups, into a URL."""

    name: str
    hosts: tuple[str, ...]
    profile: re.Pattern[str]
    written: str
    reserved: frozenset[str] = field(default_factory=frozenset)
    keeps_case: bool = False


def _network(
    name: str, hosts: str, profile: str, written: str, reserved: str = "", *, keeps_case: bool = False
) -> Network:
    pattern = re.compile(profile, re.IGNORECASE)
    return Network(name, tuple(hosts.split()), pattern, written, frozenset(reserved.split()), keeps_case)


_END = r"(?:/.*)?$"
_HANDLE = r"([\w.-]{2,80})"

# One line a network and way of writing; the first that fits counts.
NETWORKS = (
    _network("facebook", "facebook.com fb.com", r"/profile\.php\?(?:.*&)?id=(\d{5,20})(?:&.*)?$",
             "https://www.facebook.com/profile.php?id={0}"),
    _network("facebook", "facebook.com fb.com", r"/(?:pages|people)/([^/?#]{1,120})/(\d{5,20})/?$",
             "https://www.facebook.com/{1}"),
    _network("facebook", "facebook.com fb.com", r"/groups/([\w.-]{2,80})/?$", "https://www.facebook.com/groups/{0}",
             keeps_case=True),
    _network("facebook", "facebook.com fb.com fb.me",
             r"/(?:pg/|#!/)?([\w.-]{2,80}?)/?(?:(?:about|info|photos|reviews|home|timeline|app|likes)(?:[/_].*)?)?$",
             "https://www.facebook.com/{0}",
             "2008 about ads advertising ajax apps badges business careers checkpoint common connect cookies "
             "creators dialog developers download events fbml favicon.ico feed flx friends gaming groups hashtag "
             "help home.php "
             "games intern l.php language legal live login login.php marketplace media messages mobile notes offers "
             "page pages people permalink.php pg photo photo.php photos places plugins policies policy policy.php "
             "posts "
             "privacy profile.php reel recover reg search settings share share.php sharer sharer.php sharer.php "
             "stories story.php "
             "terms terms.php tr tr.php v2.0 v2.8 video video.php videos watch widgets ww.php", keeps_case=True),
    _network("messenger", "m.me", rf"/{_HANDLE}/?$", "https://m.me/{0}", keeps_case=True),
    _network("instagram", "instagram.com instagr.am", r"/([\w.]{1,40})(?:/(?:reels|tagged|channel)?)?/?$",
             "https://www.instagram.com/{0}",
             "about accounts api developer developers direct directory embed.js explore help legal locations "
             "p press privacy reel reels share static stories terms tv web"),
    _network("linkedin", "linkedin.com", r"/(company|in|school|showcase|pub)/([^/?#]{2,120})" + _END,
             "https://www.linkedin.com/{0}/{1}"),
    _network("linkedin", "linkedin.com", r"/companies/([^/?#]{2,120})" + _END, "https://www.linkedin.com/company/{0}"),
    _network("linkedin", "linkedin.com", r"/groups/(\d{3,20})/?$", "https://www.linkedin.com/groups/{0}"),
    _network("x", "twitter.com x.com", r"/(?:#!/|@)?(\w{1,15})/?$", "https://x.com/{0}",
             "about account compose download explore hashtag home i intent jobs login logout messages notifications "
             "oauth privacy rules search search-advanced settings share signup statuses terms tos who_to_follow "
             "widgets widgets.js"),
    _network("youtube", "youtube.com", r"/(channel)/(UC[\w-]{20,24})" + _END, "https://www.youtube.com/{0}/{1}",
             keeps_case=True),
    _network("youtube", "youtube.com", r"/(user|c)/([\w.%-]{1,100})" + _END, "https://www.youtube.com/{0}/{1}",
             keeps_case=True),
    _network("youtube", "youtube.com", r"/@([\w.%-]{2,100})" + _END, "https://www.youtube.com/@{0}", keeps_case=True),
    _network("youtube", "youtube.com", r"/([\w-]{3,60})/?$", "https://www.youtube.com/{0}",
             "about ads account attribution_link channel channels creators embed feed hashtag howyoutubeworks "
             "iframe_api "
             "jobs live login logout my_videos new oembed playlist premium press redirect results shorts signin "
             "static supported_browsers t trends upload user v watch yt", keeps_case=True),
    _network("tiktok", "tiktok.com", r"/@([\w.]{2,30})/?$", "https://www.tiktok.com/@{0}"),
    _network("pinterest",
             "pinterest.com pinterest.co.uk pinterest.de pinterest.fr pinterest.es pinterest.it pinterest.ca "
             "pinterest.at pinterest.ch pinterest.com.au pinterest.pt pinterest.nl",
             r"/([\w.-]{2,60})(?:/_(?:saved|created))?/?$", "https://www.pinterest.com/{0}",
             "about all business categories explore ideas join login pin pinterest-terms pins privacy resource save "
             "search settings source terms today topics"),
    _network("yelp",
             "yelp.com yelp.ca yelp.co.uk yelp.de yelp.fr yelp.es yelp.it yelp.ie yelp.com.au yelp.nl yelp.be "
             "yelp.at yelp.ch yelp.pl yelp.pt",
             r"/biz/([^/?#]{2,150})" + _END, "https://www.yelp.com/biz/{0}"),
    _network("tripadvisor",
             "tripadvisor.com tripadvisor.co.uk tripadvisor.de tripadvisor.fr tripadvisor.es tripadvisor.it "
             "tripadvisor.ca tripadvisor.com.au tripadvisor.nl tripadvisor.pt tripadvisor.ie tripadvisor.at "
             "tripadvisor.ch",
             r"/((?:Hotel|Restaurant|Attraction|VacationRental)_Review-[\w.-]{5,200})$",
             "https://www.tripadvisor.com/{0}",
             keeps_case=True),
    _network("xing", "xing.com", r"/(profile|companies|pages|company)/([\w.%-]{2,100})" + _END,
             "https://www.xing.com/{0}/{1}"),
    _network("whatsapp", "wa.me", r"/\+?(\d{7,15})" + _END, "https://wa.me/{0}"),
    _network("whatsapp", "api.whatsapp.com whatsapp.com web.whatsapp.com",
             r"/send/?\?(?:.*&)?phone=(?:\+|%2B)?(\d{7,15})(?:&.*)?$", "https://wa.me/{0}"),
    _network("whatsapp", "whatsapp.com", r"/channel/([\w-]{10,40})/?$", "https://www.whatsapp.com/channel/{0}",
             keeps_case=True),
    _network("telegram", "t.me telegram.me", r"/(?:s/)?(\w{4,32})/?$", "https://t.me/{0}",
             "share joinchat addstickers iv proxy"),
    _network("snapchat", "snapchat.com", r"/add/([\w.-]{3,30})/?$", "https://www.snapchat.com/add/{0}"),
    _network("threads", "threads.net threads.com", r"/@([\w.]{1,30})/?$", "https://www.threads.net/@{0}"),
    _network("bluesky", "bsky.app", r"/profile/([\w.:-]{3,100})/?$", "https://bsky.app/profile/{0}"),
    _network("vimeo", "vimeo.com", r"/((?=[\w-]*[a-z_])[\w-]{3,60})/?$", "https://vimeo.com/{0}",
             "about blog categories channels cookie_policy create features for-hire groups help join log_in login "
             "ondemand privacy search "
             "settings site_map stock terms upgrade upload watch"),
    _network("flickr", "flickr.com", r"/(?:photos|people)/([\w@-]{2,60})/?$", "https://www.flickr.com/people/{0}"),
    _network("soundcloud", "soundcloud.com", r"/([\w-]{3,60})/?$", "https://soundcloud.com/{0}",
             "charts discover explore jobs login pages player search signin signup stations stream terms-of-use "
             "upload you"),
    _network("twitch", "twitch.tv", r"/(\w{4,25})/?$", "https://www.twitch.tv/{0}",
             "directory downloads jobs login p search settings signup store"),
    _network("github", "github.com", r"/([\w-]{1,39})/?$", "https://github.com/{0}",
             "about apps collections contact customer-stories enterprise events explore features gist issues join "
             "login "
             "marketplace new notifications orgs pricing pulls search security settings site sponsors topics trending"),
    _network("houzz", "houzz.com houzz.co.uk houzz.de houzz.com.au", r"/(pro|user)/([\w.-]{2,100})" + _END,
             "https://www.houzz.com/{0}/{1}"),
    _network("nextdoor", "nextdoor.com", r"/(?:pages|business)/([\w.-]{2,120})/?$", "https://nextdoor.com/pages/{0}"),
    _network("linktree", "linktr.ee", r"/([\w.]{2,40})/?$", "https://linktr.ee/{0}",
             "admin login marketplace register s"),
    _network("vk", "vk.com", r"/([\w.]{3,40})/?$", "https://vk.com/{0}",
             "about feed login share.php search support terms video widget.php"),
    _network("behance", "behance.net", r"/([\w-]{2,40})/?$", "https://www.behance.net/{0}",
             "about blog gallery hire joblist search"),
)  # fmt: skip
# Profiles of the networks and of site builders themselves: they come with templates.
NOT_THEIRS = words(
    "apple addthis cloudflare elegantthemes elementor envato example facebook facebookapp fb godaddy google hubspot "
    "instagram intercom jimdo linkedin mailchimp meta microsoft opentable pinterest profile shopify squarespace "
    "sharethis themeforest tiktok tripadvisor twitter user username webflow weebly wix wixcom wordpress "
    "wordpressdotcom x yelp your-profile yourcompany yourhandle yourname yourpage yourprofile yourusername youtube "
    "zendesk page account profile-name username-here"
)
