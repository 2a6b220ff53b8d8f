import { type AuditedNoun, nouns, type PlainNoun, plainNouns } from './nouns.ts'
import type { PublishReason, RecordedName } from './payloads.ts'

interface ActionRow {
  /** The audit log shows it between the author and the object: Ada *created the flag* one-page. */
  phrase: string
  /**
   * The events that it can record, its own event first. An action without events concerns only the organization or a
   * person.
   */
  events: readonly RecordedName[]
  /** In a project, but no event tells it: nothing has changed for anybody else. */
  isQuiet?: true
  /** The reason in `flag.published`. */
  publishes?: PublishReason
  /** The noun that it was done to, if its name begins with a different noun. */
  object?: AuditedNoun
  /** The event that it records in every project of the organization. */
  inEachProject?: RecordedName
}

const published = [
  'flag.published',
  'flag.rule_activated',
  'experiment.launched',
  'experiment.paused',
  'experiment.resumed',
] as const

type Published = (typeof published)[number]

/** An action that can publish must name the reason. */
type Action =
  | (ActionRow & { publishes: PublishReason })
  | (ActionRow & { publishes?: never; events: readonly Exclude<RecordedName, Published>[] })

const action = <const Events extends readonly RecordedName[]>(phrase: string, ...events: Events) => ({ phrase, events })

const quiet = (phrase: string) => ({ phrase, events: [], isQuiet: true }) as const

const publishing = <const Events extends readonly RecordedName[]>(
  publishes: PublishReason,
  phrase: string,
  ...events: Events
) => ({ phrase, events: [...events, ...published] as const, publishes })

type PlainActions = { [N in PlainNoun as `${N}.create`]: { phrase: string; events: readonly [`${N}.created`] } } & {
  [N in PlainNoun as `${N}.update`]: { phrase: string; events: readonly [`${N}.updated`] }
} & { [N in PlainNoun as `${N}.delete`]: { phrase: string; events: readonly [`${N}.deleted`] } }

const plainActions = Object.fromEntries(
  plainNouns.flatMap((noun) => {
    const name = nouns[noun].label.toLowerCase()
    return [
      [`${noun}.create`, action(`created the ${name}`, `${noun}.created`)],
      [`${noun}.update`, action(`changed the ${name}`, `${noun}.updated`)],
      [`${noun}.delete`, action(`deleted the ${name}`, `${noun}.deleted`)],
    ]
  }),
) as PlainActions

/**
 * Everything that the audit log records, with the events that it can cause. `by.record` is typed by these rows: an
 * action without a row, or an event that the row does not name, does not compile.
 */
export const actions = {
  'organization.create': action('created the organization'),
  'organization.update': action('changed the organization'),
  'organization.confirm_mail': action('confirmed a mail address for the organization'),
  'organization.restore': action('restored a backup of the organization'),
  'organization.rehearse': action('rehearsed a restore of the organization'),
  'organization.move': action('moved the database to a PostgreSQL server for the organization'),
  'member.invite': { ...action('invited'), object: 'invitation' },
  'member.join': action('joined as'),
  'member.update': action('changed the role or the projects of'),
  'member.remove': action('removed the member'),
  'member.leave': action('left the organization as'),
  'member.password_reset_link': action('created a password reset link for'),
  'invitation.resend': action('resent the invitation to'),
  'invitation.revoke': action('revoked the invitation to'),
  'role.create': action('created the role'),
  'role.update': action('changed the role'),
  'role.delete': action('deleted the role'),
  'service_token.create': action('created the service token'),
  'service_token.rotate': action('rotated the service token'),
  'service_token.revoke': action('revoked the service token'),
  'service_token.warn': {
    ...action('warned about the expiry of the service token'),
    inEachProject: 'token.expiring',
  },
  'personal_token.create': action('created the personal token'),
  'personal_token.revoke': action('revoked the personal token'),
  'session.start': action('signed in as'),
  'session.end': action('ended a session of'),
  'user.update': action('changed the account of'),
  'user.email_change_request': action('requested a new e-mail address for'),
  'user.email_change': action('changed the e-mail address of'),
  'user.mail_change': action('changed the mail notifications of'),
  'user.password_change': action('changed the password of'),
  'user.password_reset_request': action('requested a password reset for'),
  'user.password_reset_link': action('created a password reset link for'),
  'user.password_reset': action('used a reset link to change the password of'),
  'user.second_factor_enable': action('turned on the second factor of'),
  'user.second_factor_disable': action('turned off the second factor of'),
  'user.recovery_codes_renew': action('created new recovery codes for'),
  'user.identity_link': action('linked a sign-in provider to'),
  'user.identity_unlink': action('unlinked a sign-in provider from'),
  'project.create': action('created the project', 'project.created'),
  'project.update': action('changed the project', 'project.updated'),
  'project.update_web_settings': action('changed the web settings of the project', 'project.updated'),
  'project.delete': action('deleted the project', 'project.deleted'),
  'project.erase_visitors': action('erased visitors of the project', 'visitor.erased'),
  'environment.create': action('created the environment', 'environment.created'),
  'environment.update': action('changed the environment', 'environment.updated'),
  'environment.delete': action('deleted the environment', 'environment.deleted'),
  'environment.create_sdk_key': action('created an SDK key of the environment', 'environment.sdk_key_created'),
  'environment.revoke_sdk_key': action('revoked an SDK key of the environment', 'environment.sdk_key_revoked'),
  'environment.create_ingest_key': action('created an ingest key of the environment', 'environment.ingest_key_created'),
  'environment.revoke_ingest_key': action('revoked an ingest key of the environment', 'environment.ingest_key_revoked'),
  'environment.publish': publishing(
    'PUBLISHED',
    'published the environment',
    'flag.updated',
    'audience.updated',
    'experiment.changes_published',
    'experiment.updated',
  ),
  'environment.restore_revision': action(
    'staged an earlier revision of the environment',
    'flag.updated',
    'experiment.updated',
  ),
  'flag.create': publishing('CREATED', 'created the flag', 'flag.created'),
  'flag.update': publishing('EDITED', 'changed the flag', 'flag.updated'),
  'flag.archive': publishing('ARCHIVED', 'archived the flag', 'flag.archived'),
  'flag.unarchive': publishing('UNARCHIVED', 'unarchived the flag', 'flag.unarchived'),
  'flag.delete': publishing('DELETED', 'deleted the flag', 'flag.deleted'),
  'flag.run': publishing('SWITCHED', 'ran the flag', 'flag.updated'),
  'flag.pause': publishing('SWITCHED', 'paused the flag', 'flag.updated'),
  'flag.stage_default': action('staged a new default variation of the flag', 'flag.updated'),
  'flag.replace_variations': action('changed the variations of the flag', 'flag.updated'),
  'flag.replace_draft': action('replaced the draft of the flag', 'flag.updated'),
  'flag.discard_changes': action('discarded staged changes of the flag', 'flag.updated'),
  'flag.replace_overrides': action('changed the overrides of the flag', 'flag.updated'),
  'flag.schedule': action('scheduled a run or a pause of the flag', 'flag.schedule_updated'),
  'flag.suspend_schedule': action('suspended a schedule of the flag', 'flag.schedule_updated'),
  'flag.cancel_schedule': action('cancelled a schedule of the flag', 'flag.schedule_updated'),
  'flag.complete_schedule': action('carried out a schedule of the flag', 'flag.schedule_updated'),
  'flag.fail_schedule': action('could not carry out a schedule of the flag', 'flag.schedule_failed'),
  'rule.create': action('created the rule', 'flag.updated'),
  'rule.update': action('changed the rule', 'flag.updated'),
  'rule.delete': action('deleted the rule', 'flag.updated'),
  'rule.duplicate': action('duplicated a rule as', 'flag.updated'),
  'rule.copy': action('copied rules from a different environment, starting with', 'flag.updated'),
  'rule.reorder': action('reordered the rules, starting with', 'flag.updated'),
  'rule.run': publishing('SWITCHED', 'ran the rule', 'flag.updated'),
  'rule.pause': publishing('SWITCHED', 'paused the rule', 'flag.updated'),
  'rule.report_srm': action('reported a sample ratio mismatch of the rule', 'flag.srm_failed', 'experiment.srm_failed'),
  'rule.report_traffic': action(
    'reported a problem with the traffic of the rule',
    'flag.guardrail_breached',
    'experiment.guardrail_breached',
  ),
  'rule.report_guardrail_metric': action(
    'reported a failed guardrail metric of the rule',
    'experiment.guardrail_metric_breached',
  ),
  ...plainActions,
  'segment.replace_members': publishing('SEGMENT_CHANGED', 'replaced the members of the segment', 'segment.updated'),
  'segment.add_members': publishing('SEGMENT_CHANGED', 'added members to the segment', 'segment.updated'),
  'segment.remove_members': publishing('SEGMENT_CHANGED', 'removed members from the segment', 'segment.updated'),
  'experiment.create': action('created the experiment', 'experiment.created'),
  'experiment.update': action('changed the experiment', 'experiment.updated'),
  'experiment.save_changes': action('saved changes of pages in the experiment', 'experiment.visual_changes.saved'),
  'experiment.save_code': action('saved code in the experiment', 'experiment.updated'),
  'experiment.launch': publishing('SWITCHED', 'launched the experiment', 'flag.updated'),
  'experiment.pause': publishing('SWITCHED', 'paused the experiment', 'flag.updated'),
  'experiment.resume': publishing('SWITCHED', 'resumed the experiment', 'flag.updated'),
  'experiment.complete': action('completed the experiment', 'experiment.completed'),
  'experiment.declare_winner': publishing(
    'PUBLISHED',
    'declared the winner of the experiment',
    'experiment.winner_declared',
    'experiment.completed',
  ),
  'experiment.schedule': action('scheduled a run or a pause of the experiment', 'experiment.updated'),
  'experiment.suspend_schedule': action('suspended a schedule of the experiment', 'experiment.updated'),
  'experiment.cancel_schedule': action('cancelled a schedule of the experiment', 'experiment.updated'),
  'experiment.complete_schedule': action('carried out a schedule of the experiment', 'experiment.updated'),
  'experiment.fail_schedule': action('could not carry out a schedule of the experiment', 'experiment.schedule_failed'),
  'experiment.archive': action('archived the experiment', 'experiment.archived'),
  'experiment.unarchive': action('unarchived the experiment', 'experiment.unarchived'),
  'experiment.delete': action('deleted the experiment', 'experiment.deleted'),
  'experiment.discard_changes': action('discarded staged changes of the experiment', 'experiment.updated'),
  'experiment.create_preview': quiet('created a preview of the experiment'),
  'experiment.revoke_preview': quiet('revoked a preview of the experiment'),
  'experiment.open_editor': quiet('opened the visual editor of the experiment'),
  'experiment.close_editor': quiet('closed a session of the visual editor of the experiment'),
  'experiment.report_srm': action('reported a sample ratio mismatch of the experiment', 'experiment.srm_failed'),
  'experiment.report_traffic': action(
    'reported a problem with the traffic of the experiment',
    'experiment.guardrail_breached',
  ),
  'experiment.report_guardrail_metric': action(
    'reported a failed guardrail metric of the experiment',
    'experiment.guardrail_metric_breached',
  ),
  'experiment.report_code_error': action(
    'reported an error of the code of the experiment',
    'experiment.code_error_detected',
  ),
  'webhook.create': action('created the webhook', 'webhook.created'),
  'webhook.update': action('changed the webhook', 'webhook.updated'),
  'webhook.delete': action('deleted the webhook', 'webhook.deleted'),
  'webhook.disable': action('disabled the webhook', 'webhook.disabled'),
  'webhook.rotate_secret': action('rotated the secret of the webhook', 'webhook.secret_rotated'),
  'webhook.retry_delivery': action('retried a delivery of the webhook', 'webhook.delivery_retried'),
  'webhook.replay': action('replayed deliveries of the webhook', 'webhook.delivery_retried'),
  'destination.create': action('created the destination', 'destination.created'),
  'destination.update': action('changed the destination', 'destination.updated'),
  'destination.delete': action('deleted the destination', 'destination.deleted'),
  'destination.disable': action('disabled the destination', 'destination.disabled'),
  'destination.test': action('sent a test to the destination', 'destination.tested'),
  'destination.retry_delivery': action('retried a delivery to the destination', 'destination.delivery_retried'),
  'destination.replay': action('replayed deliveries to the destination', 'destination.delivery_retried'),
  'catalog.update': action('changed the settings of the catalog of', 'catalog.updated'),
  'catalog.sync': action('synchronized a feed with the catalog of', 'catalog.feed_sync.completed'),
  'catalog.import': action('imported a file into the catalog of', 'commerce.import.completed'),
  'catalog_source.import': action('imported orders from the source', 'commerce.import.completed'),
  'catalog.remove_items': action('removed the items of a deleted source from the catalog of', 'catalog.updated'),
  'catalog.restore': action('restored an old revision of the catalog of', 'catalog.updated'),
  'catalog.save_items': action('changed items in the catalog of', 'catalog.updated'),
  'dataset.refresh': action('activated a new version of the dataset', 'dataset.version.activated'),
  'dataset.activate': action('chose the active version of the dataset', 'dataset.version.activated'),
  'recommendation_model.run': action('activated a run of the recommendation model', 'recommendation.run.completed'),
  'recommendation_model.activate': action(
    'chose the run that serves of the recommendation model',
    'recommendation_model.updated',
  ),
  'placement.measure': action('began to measure the placement', 'placement.updated'),
  'job.request': action('requested the job', 'job.updated'),
  'job.cancel': action('cancelled the job', 'job.updated'),
  'job.apply': action('applied the held job', 'job.updated'),
  'job.retry': action('retried the job', 'job.updated'),
  'webhook.test': action('sent a test ping to the webhook', 'webhook.tested'),
} as const satisfies { [name in `${AuditedNoun}.${string}`]: Action }

/** Events without a change have no entry in the audit log. */
export const announced = [
  'flag.results_ready',
  'experiment.results_ready',
  'commerce.job_failed',
  'catalog.feed_sync.completed',
  'commerce.import.completed',
  'recommendation.run.completed',
] as const satisfies readonly RecordedName[]

export type AnnouncedName = (typeof announced)[number]

type Actions = typeof actions

export type ActionName = keyof Actions

/** The actions whose names begin with a noun. */
export type ActionOn<N extends AuditedNoun> = Extract<ActionName, `${N}.${string}`>

/** What an action was done to. */
export type ObjectOf<A extends ActionName> = Objects[A]

type Objects = {
  [A in ActionName]: Actions[A] extends { object: infer N } ? N : A extends `${infer N}.${string}` ? N : never
}

/** The actions in a project with an event. */
export type ProjectAction = { [A in ActionName]: Actions[A]['events'] extends readonly [] ? never : A }[ActionName]

/** The actions in a project that no event tells. */
export type QuietAction = { [A in ActionName]: Actions[A] extends { isQuiet: true } ? A : never }[ActionName]

/** All others concern only the organization or a person. */
export type OrganizationAction = Exclude<ActionName, ProjectAction | QuietAction>

/** The events that an action can record in its project. */
export type EventOf<A extends ProjectAction> = Actions[A]['events'][number]

/** The events that an action records in every project of its organization. */
export type EventInEachProject<A extends OrganizationAction> = Extract<
  Actions[A],
  { inEachProject: unknown }
>['inEachProject']

/** Why an action publishes, if it can. */
export const publishReasonOf = (name: ActionName): PublishReason | undefined => (actions[name] as ActionRow).publishes
