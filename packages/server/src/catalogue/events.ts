import { nouns, type PlainNoun, plainNouns, type ToldNoun } from './nouns.ts'

interface CatalogueEntry {
  /** The noun that it is about, whose id is a delivery's `sourceEntityId`. */
  about: ToldNoun
  meaning: string
  /** Safety events ignore the organization's notification filter. */
  safety?: true
  /** Goes to every webhook of the organization that subscribes to it, whatever its project. */
  organizationWide?: true
}

const entry = <N extends ToldNoun>(
  about: N,
  meaning: string,
  more: Omit<CatalogueEntry, 'about' | 'meaning'> = {},
): CatalogueEntry & { about: N } => ({ about, meaning, ...more })

const safety = { safety: true } as const

type PlainEvents = {
  [N in PlainNoun as `${N}.${'created' | 'updated' | 'deleted'}`]: CatalogueEntry & { about: N }
}

const plainEvents = Object.fromEntries(
  plainNouns.flatMap((noun) => {
    const { label, edited } = nouns[noun]
    return [
      [`${noun}.created`, entry(noun, `${label} created`)],
      [`${noun}.updated`, entry(noun, `${label} ${edited}`)],
      [`${noun}.deleted`, entry(noun, `${label} deleted`)],
    ]
  }),
) as PlainEvents

/**
 * Every event name that a webhook can subscribe to. Events with a row in `payloads.ts` are sent. The others belong to
 * features that do not exist yet: webhooks can subscribe to them, but they never fire.
 */
export const events = {
  'experiment.created': entry('experiment', 'Experiment created or duplicated'),
  'experiment.updated': entry('experiment', 'Experiment edited, or its schedule changed'),
  'experiment.archived': entry('experiment', 'Experiment archived'),
  'experiment.unarchived': entry('experiment', 'Experiment unarchived'),
  'experiment.deleted': entry('experiment', 'Experiment deleted'),
  'experiment.launched': entry('experiment', 'Experiment moved from draft to running'),
  'experiment.paused': entry('experiment', 'Running experiment paused'),
  'experiment.resumed': entry('experiment', 'Paused experiment resumed'),
  'experiment.completed': entry('experiment', 'Experiment stopped or completed'),
  'experiment.changes_published': entry('experiment', 'Pending changes published to a running experiment'),
  'experiment.schedule_failed': entry(
    'experiment',
    'Scheduled run or pause of an experiment could not be carried out',
    safety,
  ),
  'experiment.visual_changes.saved': entry('experiment', 'Changes of a variation saved'),
  'experiment.winner_declared': entry('experiment', 'Winning variation declared'),
  'experiment.results_ready': entry('experiment', 'Daily results digest ready'),
  'experiment.srm_failed': entry('experiment', 'Sample ratio mismatch check failed', safety),
  'experiment.guardrail_breached': entry('experiment', 'Traffic guardrail breached', safety),
  'experiment.guardrail_metric_breached': entry(
    'experiment',
    'Guardrail metric failed its non-inferiority test',
    safety,
  ),
  'experiment.code_error_detected': entry('experiment', 'Variation code threw an error on a visitor page', safety),
  'flag.created': entry('flag', 'Flag created'),
  'flag.updated': entry('flag', 'Flag, one of its rules, overrides or switches changed'),
  'flag.archived': entry('flag', 'Flag archived'),
  'flag.unarchived': entry('flag', 'Flag unarchived'),
  'flag.deleted': entry('flag', 'Flag deleted'),
  'flag.published': entry('environment', 'New revision of an environment’s data file'),
  'flag.rule_activated': entry('flag', 'Flag rule started serving'),
  'flag.schedule_updated': entry(
    'flag',
    'Run or pause of a flag or rule scheduled, suspended, cancelled or carried out',
  ),
  'flag.schedule_failed': entry('flag', 'Scheduled run or pause could not be carried out', safety),
  'flag.srm_failed': entry('flag', 'Sample ratio mismatch for a flag rule', safety),
  'flag.guardrail_breached': entry('flag', 'Traffic guardrail breached for a flag rule', safety),
  'flag.results_ready': entry('flag', 'Daily results digest ready for a flag rule'),
  ...plainEvents,
  'commerce.import.completed': entry('source', 'Catalog import or product-cost sync finished'),
  'commerce.job_failed': entry('source', 'Background job failed or a scheduled run stopped firing'),
  'recommendation.run.completed': entry('source', 'Recommendation engine run finished'),
  'dataset.version.activated': entry('source', 'New dataset version went live'),
  'catalog.feed_sync.completed': entry('source', 'Product-feed sync finished for a project'),
  'catalog.updated': entry(
    'catalog',
    'Items of the catalog changed by the API, a restore or the deletion of a source, or its settings changed',
  ),
  'job.updated': entry('job', 'Background job requested, applied, cancelled or retried by a person'),
  'visitor.erased': entry('project', 'Visitors erased; contains their number, not their ids'),
  'project.created': entry('project', 'Project created, with its built-in environments'),
  'project.updated': entry('project', 'Project renamed, or its web settings changed'),
  'project.deleted': entry('project', 'Project deleted; sent to the webhooks of the organization’s other projects', {
    organizationWide: true,
  }),
  'environment.created': entry('environment', 'Environment created'),
  'environment.updated': entry(
    'environment',
    'Name, color, protection or position of an environment changed, or which of its events need an ingest key',
  ),
  'environment.deleted': entry('environment', 'Environment deleted'),
  'environment.sdk_key_created': entry('environment', 'Second SDK key of an environment created'),
  'environment.sdk_key_revoked': entry('environment', 'SDK key of an environment revoked'),
  'environment.ingest_key_created': entry('environment', 'Ingest key of an environment created'),
  'environment.ingest_key_revoked': entry('environment', 'Ingest key of an environment revoked'),
  'webhook.created': entry('webhook', 'Webhook created'),
  'webhook.updated': entry('webhook', 'Webhook changed'),
  'webhook.deleted': entry('webhook', 'Webhook deleted'),
  'webhook.secret_rotated': entry('webhook', 'Signing secret of a webhook rotated'),
  'webhook.tested': entry('webhook', 'Test ping requested'),
  'webhook.delivery_retried': entry('webhook', 'Failed delivery retried manually'),
  'webhook.disabled': entry('webhook', 'Webhook disabled automatically after failed deliveries', {
    safety: true,
    organizationWide: true,
  }),
  'destination.created': entry('destination', 'Destination of a different kind than webhooks created'),
  'destination.updated': entry('destination', 'Destination changed'),
  'destination.deleted': entry('destination', 'Destination deleted'),
  'destination.tested': entry('destination', 'Test message requested'),
  'destination.delivery_retried': entry('destination', 'Failed delivery to a destination retried manually'),
  'destination.disabled': entry('destination', 'Destination disabled automatically after failed deliveries', {
    safety: true,
    organizationWide: true,
  }),
  'token.expiring': entry('service_token', 'A service token expires within 7 days'),
  'webhook.test': entry('webhook', 'Test ping; sent only by the test endpoint'),
} as const satisfies Record<string, CatalogueEntry>

export type EventName = keyof typeof events

/** The noun that an event is about. */
export type AboutOf<N extends EventName> = (typeof events)[N]['about']

export const eventNames = Object.keys(events) as [EventName, ...EventName[]]

export const isSafetyEvent = (name: EventName): boolean => events[name].safety ?? false

export const isOrganizationWide = (name: EventName): boolean => events[name].organizationWide ?? false
