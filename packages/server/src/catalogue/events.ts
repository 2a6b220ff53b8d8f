interface CatalogueEntry {
  meaning: string
  /** Safety events ignore the organization's notification filter. */
  safety?: true
  /** Goes to every webhook of the organization that subscribes to it, whatever its project. */
  organizationWide?: true
}

const entry = (meaning: string, more: Omit<CatalogueEntry, 'meaning'> = {}): CatalogueEntry => ({ meaning, ...more })
const safety = { safety: true } as const

/**
 * Every event name that a webhook can subscribe to. What this build produces, `wings/telling/webhooks/payload-schemas.ts`
 * says; names whose feature does not exist yet can be subscribed and never fire.
 */
export const events = {
  'experiment.launched': entry('Experiment moved from draft to running'),
  'experiment.paused': entry('Running experiment paused'),
  'experiment.resumed': entry('Paused experiment resumed'),
  'experiment.completed': entry('Experiment stopped or completed'),
  'experiment.changes_published': entry('Pending changes published to a running experiment'),
  'experiment.visual_changes.saved': entry('Change set saved in the visual editor'),
  'experiment.winner_declared': entry('Winning variation declared'),
  'experiment.results_ready': entry('Daily results digest ready'),
  'experiment.srm_failed': entry('Sample ratio mismatch check failed', safety),
  'experiment.guardrail_breached': entry('Traffic guardrail breached', safety),
  'experiment.guardrail_metric_breached': entry('Guardrail metric failed its non-inferiority test', safety),
  'experiment.code_error_detected': entry('Variation code threw an error on a visitor page', safety),
  'flag.created': entry('Flag created'),
  'flag.updated': entry('Flag, one of its rules, overrides or switches changed'),
  'flag.archived': entry('Flag archived'),
  'flag.unarchived': entry('Flag unarchived'),
  'flag.deleted': entry('Flag deleted'),
  'flag.published': entry('New revision of an environment’s data file'),
  'flag.rule_activated': entry('Flag rule started serving'),
  'flag.schedule_updated': entry('Run or pause of a flag or rule scheduled, suspended, cancelled or carried out'),
  'flag.schedule_failed': entry('Scheduled run or pause could not be carried out', { safety: true }),
  'flag.srm_failed': entry('Sample ratio mismatch for a flag rule', safety),
  'flag.guardrail_breached': entry('Traffic guardrail breached for a flag rule', safety),
  'flag.results_ready': entry('Daily results digest ready for a flag rule'),
  'audience.created': entry('Audience created'),
  'audience.updated': entry('Audience edited, or its edit published where no running rule uses it'),
  'audience.deleted': entry('Audience deleted'),
  'segment.created': entry('Segment created'),
  'segment.updated': entry('Name, description or members of a segment changed'),
  'segment.deleted': entry('Segment deleted'),
  'exclusion_group.created': entry('Exclusion group created'),
  'exclusion_group.updated': entry('Exclusion group updated'),
  'exclusion_group.deleted': entry('Exclusion group deleted'),
  'commerce.import.completed': entry('Catalog import or product-cost sync finished'),
  'commerce.job_failed': entry('Background job failed or a scheduled run stopped firing'),
  'recommendation.run.completed': entry('Recommendation engine run finished'),
  'dataset.version.activated': entry('New dataset version went live'),
  'catalog.feed_sync.completed': entry('Product-feed sync finished for a project'),
  'project.created': entry('Project created, with its built-in environments'),
  'project.updated': entry('Project renamed'),
  'environment.created': entry('Environment created'),
  'environment.updated': entry('Name or color of an environment changed'),
  'environment.deleted': entry('Environment deleted'),
  'webhook.created': entry('Webhook created'),
  'webhook.updated': entry('Webhook changed'),
  'webhook.deleted': entry('Webhook deleted'),
  'webhook.secret_rotated': entry('Signing secret of a webhook rotated'),
  'webhook.tested': entry('Test ping requested'),
  'webhook.delivery_retried': entry('Failed delivery retried manually'),
  'webhook.disabled': entry('Webhook disabled automatically after failed deliveries', {
    safety: true,
    organizationWide: true,
  }),
  'token.expiring': entry('A service token expires within 7 days'),
  'webhook.test': entry('Test ping; sent only by the test endpoint'),
} as const satisfies Record<string, CatalogueEntry>

export type EventName = keyof typeof events

export const eventNames = Object.keys(events) as [EventName, ...EventName[]]

export const isSafetyEvent = (name: EventName): boolean => (events[name] as CatalogueEntry).safety ?? false

export const isOrganizationWide = (name: EventName): boolean =>
  (events[name] as CatalogueEntry).organizationWide ?? false
