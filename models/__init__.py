"""What is true: every table, in pipeline order.

tenants                  customers; every other row belongs to one
users                    who may look, decide or administer
sessions                 log-ins, until they end or are revoked
api_keys                 how programs call in the name of a user
login_links              ways in that work once
login_attempts           failed log-ins of late, by account and by address
searches                 what is looked for and where, with its limits and its bill
search_areas             the pages of a search's rectangles, each one call to a provider
search_places            which search found which place
provider_days            what each provider was asked per day, and what that cost
places                   a provider's entries on the map
local_businesses         the business at a place
domains                  sites by registrable domain, and what their homepages say
local_business_domains   which business uses which domain
sitemap_files            lists of a site's addresses
pages                    addresses of a site, scored, and what was seen there
sitemap_pages            which sitemap lists which page
contacts                 emails, phones, social profiles and people of a domain or business
sightings                where and how each contact was seen
suppressions             hashes of whom never to export
batches, batch_items     rows submitted into the middle, and what became of each
schedules                standing orders to do work again
schedule_fires           which schedule has fired for which moment
audit_entries            who changed what
operations               decisions on many rows at once
operation_changes        how those rows were before, to take it back
webhooks                 addresses that want to be told
webhook_deliveries       each thing they are told
work                     the machine's state: one row per stage and entity
failures                 what went wrong with each piece of work
workers                  one lease per worker process
stage_controls           pause, its reason, and window of each stage
hosts                    politeness towards each site
token_marks              the greatest token seen on each of the newest rows
invariant_checks         the last verdict on each rule that must always hold
jobs                     what runs on a clock, and how it went last
meters                   what the workers have counted since ever
stage_minutes            what each stage has ended in each of the last minutes
alarms                   what an operator should look at
"""

from __future__ import annotations

from models.alarm import Alarm
from models.api_key import ApiKey
from models.audit_entry import AuditEntry
from models.base import Base
from models.batch import Batch, BatchItem
from models.contact import Contact
from models.domain import Domain, LocalBusinessDomain
from models.job import Job
from models.local_business import LocalBusiness
from models.login_attempt import LoginAttempt
from models.login_link import LoginLink
from models.meter import Meter, StageMinute
from models.operation import Operation, OperationChange
from models.page import Page, SitemapPage
from models.place import Place
from models.provider_day import ProviderDay
from models.saved_view import SavedView
from models.schedule import Schedule
from models.schedule_fire import ScheduleFire
from models.search import Search, SearchPlace
from models.search_area import SearchArea
from models.session import Session
from models.sighting import Sighting
from models.sitemap_file import SitemapFile
from models.suppression import Suppression
from models.tenant import Tenant
from models.user import User
from models.webhook import Webhook, WebhookDelivery
from models.work import Failure, Host, InvariantCheck, StageControl, TokenMark, Work, Worker

__all__ = [  # noqa: RUF022 - in pipeline order
    "Base",
    "Tenant",
    "TokenMark",
    "User",
    "Session",
    "ApiKey",
    "LoginLink",
    "LoginAttempt",
    "Search",
    "SearchArea",
    "SearchPlace",
    "ProviderDay",
    "Place",
    "LocalBusiness",
    "Domain",
    "LocalBusinessDomain",
    "SitemapFile",
    "Page",
    "SitemapPage",
    "Contact",
    "Sighting",
    "Suppression",
    "Batch",
    "BatchItem",
    "Schedule",
    "ScheduleFire",
    "AuditEntry",
    "Operation",
    "OperationChange",
    "SavedView",
    "Webhook",
    "WebhookDelivery",
    "Work",
    "Failure",
    "Worker",
    "StageControl",
    "Host",
    "InvariantCheck",
    "Job",
    "Meter",
    "StageMinute",
    "Alarm",
]
