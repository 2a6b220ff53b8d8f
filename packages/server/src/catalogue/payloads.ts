import { z } from 'zod'
import { actorField, timeField } from '../fields.ts'
import type { AboutOf, EventName } from './events.ts'
import { jobStatuses, jobTriggers } from './jobs.ts'
import {
  type BodyFieldOf,
  bodyFieldOf,
  type CalledBy,
  type NounField,
  nouns,
  type PlainNoun,
  plainNouns,
} from './nouns.ts'

export const flagStatusField = z.enum(['DRAFT', 'PAUSED', 'RUNNING', 'ARCHIVED'])

export const scheduleActionField = z.enum(['RUN', 'PAUSE'])

export const scheduleSchema = z
  .object({
    id: z.string(),
    flagId: z.string().nullable().meta({ description: 'Null for a web experiment.' }),
    envId: z.string(),
    ruleId: z.string().nullable().meta({ description: 'Null: the environment’s switch of the flag.' }),
    action: scheduleActionField,
    runAt: timeField,
    timezone: z.string(),
    note: z.string().nullable(),
    status: z.enum(['PENDING', 'SUSPENDED', 'DONE', 'FAILED', 'CANCELLED']),
    failureReason: z.string().nullable(),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Schedule' })

export const publishReasonField = z
  .enum(['CREATED', 'EDITED', 'ARCHIVED', 'UNARCHIVED', 'DELETED', 'SWITCHED', 'PUBLISHED', 'SEGMENT_CHANGED'])
  .meta({
    description:
      'Why the data file changed: a flag was created, edited, archived, unarchived or deleted; a flag or a rule was switched on or off, by a person or by a schedule; staged changes were published; the members of a segment changed.',
  })

export type PublishReason = z.infer<typeof publishReasonField>

const idField = z.string()
const flagField = z
  .object({ id: idField, shortId: z.int(), key: z.string(), name: z.string(), status: flagStatusField })
  .meta({ id: 'EventFlag', description: 'The flag after the change; a deleted flag as it was.' })
const environmentField = z.object({ id: idField, name: z.string() }).meta({ id: 'EventEnvironment' })
const ruleField = z
  .object({ id: idField, shortId: z.int(), name: z.string(), type: z.enum(['TARGETED_DELIVERY', 'AB_TEST']) })
  .meta({ id: 'EventRule' })
const webhookField = z
  .object({
    id: idField,
    name: z.string(),
    enabled: z.boolean().meta({ description: 'Whether it is enabled after the change.' }),
  })
  .meta({ id: 'EventWebhook' })
const destinationField = z
  .object({
    id: idField,
    name: z.string(),
    kind: z.string().meta({ description: 'The kind of the destination, such as `SLACK`.' }),
    enabled: z.boolean().meta({ description: 'Whether it is enabled after the change.' }),
  })
  .meta({ id: 'EventDestination' })
const servedField = z.record(z.string(), z.unknown()).nullable()
const conditionsExample = (...value: string[]) => ({ attribute: 'country', operator: 'in', value })
const servedExample = (traffic: number) => ({
  ...{ id: '1', type: 'BOOLEAN', enabled: true, variations: { on: 'true', off: 'false' }, defaultVariation: 'off' },
  rules: [
    { id: '1', type: 'TARGETED_DELIVERY', salt: '7kd93mfa', when: conditionsExample('NL'), traffic, variation: 'on' },
  ],
})
/** The script of an environment of a web project. */
export const scriptSchema = z
  .object({
    bytes: z.int().meta({ description: 'Before compression.' }),
    etag: z.string().meta({ description: 'As served for the newest SDK key of the environment.' }),
  })
  .meta({ id: 'PublishedScript' })

const changeField = z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })

const ofFlag = { flag: flagField }
const scheduled = {
  flag: flagField,
  environment: environmentField,
  rule: ruleField.optional().meta({ description: 'Present only for the schedule of one rule.' }),
  schedule: scheduleSchema,
}
/** The fields of a noun in a body, by what its address accepts. */
const namesOf = {
  key: { id: idField, key: z.string(), name: z.string() },
  number: { id: idField, shortId: z.int(), name: z.string() },
  both: { id: idField, shortId: z.int(), key: z.string(), name: z.string() },
}
const nounBy = {
  key: z.object(namesOf.key).meta({ id: 'EventNounByKey' }),
  number: z.object(namesOf.number).meta({ id: 'EventNounByNumber' }),
  both: z.object(namesOf.both).meta({ id: 'EventNoun' }),
}
type Plain<N extends PlainNoun> = { [Field in BodyFieldOf<N>]: (typeof nounBy)[CalledBy<N>] }
const plain = <N extends PlainNoun>(noun: N): Plain<N> =>
  ({ [bodyFieldOf(noun)]: nounBy[nouns[noun].address.calledBy] }) as Plain<N>
const plainPayloads = Object.fromEntries(
  plainNouns.flatMap((noun) => ['created', 'updated', 'deleted'].map((verb) => [`${noun}.${verb}`, plain(noun)])),
) as { [N in PlainNoun as `${N}.${'created' | 'updated' | 'deleted'}`]: Plain<N> }
const ofSegment = {
  segment: z.object({ ...namesOf.both, count: z.int().meta({ description: 'The number of ids in the segment.' }) }),
}
const ofMetric = plain('metric')
const experimentStatusField = z.enum(['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED', 'ARCHIVED'])
const ofExperiment = {
  experiment: z
    .object({
      id: idField,
      shortId: z.int(),
      name: z.string(),
      status: experimentStatusField,
      previousStatus: experimentStatusField.meta({ description: 'The same as `status` if the status did not change.' }),
    })
    .meta({ id: 'EventExperiment' }),
}
export const winnerSchema = z
  .object({
    variationKey: z.string(),
    declaredAt: timeField,
    declaredBy: actorField,
    comment: z.string().nullable(),
    rolledOut: z.boolean().meta({ description: 'Whether a delivery rule of this variation replaced the test.' }),
  })
  .meta({ id: 'Winner' })
const ofEnvironment = { environment: environmentField }
const sdkKeyField = z
  .object({ id: idField, key: z.string().meta({ description: 'The SDK key, which is public.' }) })
  .meta({ id: 'EventSdkKey' })
const ingestKeyField = z
  .object({
    id: idField,
    lastCharacters: z.string().meta({ description: 'The last four characters of the ingest key, which is secret.' }),
  })
  .meta({ id: 'EventIngestKey' })
const jobFields = {
  id: idField,
  name: z.string(),
  kind: z.string().meta({ description: 'What the job does, such as `feed_sync`.' }),
  trigger: z.enum(jobTriggers),
}
const jobField = z.object(jobFields).meta({ id: 'EventJob' })
const ofCommerce = {
  source: z
    .object({ type: z.literal('commerce'), id: idField, name: z.string() })
    .meta({ id: 'EventSource', description: 'What the job is about. For an erasure, this is the project.' }),
  kind: z.string().meta({ description: 'What the job does, such as `feed_sync`.' }),
  projectId: idField,
  projectName: z.string(),
}
const syncedCatalog = z
  .object({ revision: z.int(), added: z.int(), changed: z.int(), removed: z.int(), unchanged: z.int() })
  .meta({ id: 'EventSyncedCatalog', description: 'The revision after the sync, and counts of items of the source.' })
const share = z.number().nullable()
const measuredFields = {
  recall20: share.meta({ description: 'The share of what a visitor took up later that was among the best 20.' }),
  ndcg20: share.meta({ description: 'The same, and what is further up counts more.' }),
  hitRate20: share.meta({ description: 'Of FOR_YOU: how often the next product of a session was among the best 20.' }),
  mrr20: share.meta({ description: 'Of FOR_YOU: the mean of 1 / its place, and 0 if it was not there.' }),
  coverage20: z.number().meta({ description: 'The share of products that are in any list.' }),
  fallbackShare: z.number().meta({ description: 'How often the model had nothing, and POPULAR answered.' }),
}
/** What was measured of a run of a model. */
export const runMetricsField = z
  .object({
    ...measuredFields,
    popular: z.object(measuredFields).meta({
      id: 'PopularMetrics',
      description: 'The same of POPULAR, on the same days: what a model must beat to be of use.',
    }),
  })
  .meta({ id: 'RecommendationMetrics' })
  .nullable()
  .meta({
    description:
      'Measured on the last days, which the model had not seen. All are shares from 0 to 1; one that is null was not measured. Null: the strategy has nothing to be measured on, or nobody has taken up anything.',
  })

export type RunMetrics = z.output<typeof runMetricsField>

const ofWebhook = { webhook: webhookField }
const ofDestination = { destination: destinationField }

const figure = z.number().nullable()
const variationFields = { id: idField, key: z.string() }

/** What every alarm says. */
const alarmFields = {
  asOf: timeField.meta({ description: 'The figures count all events before this time.' }),
  revision: z
    .object({ revision: z.int(), publishedAt: timeField })
    .nullable()
    .meta({ description: 'The published revision of this flag after which the problem began; null if unknown.' }),
  paused: z.boolean().meta({
    description: 'Whether the service paused the rule because of the problem, according to its `autoPause` settings.',
  }),
}
const srmAlarm = z
  .object({
    check: z.literal('SRM'),
    pValue: figure.meta({ description: 'The p-value of the daily check, which fails below `threshold`.' }),
    bayesFactor: figure.meta({ description: 'The Bayes factor of the sequential check, which fails above 1000.' }),
    threshold: figure,
    variations: z
      .object({ ...variationFields, units: z.int(), share: figure, expectedShare: z.number() })
      .array()
      .meta({ description: 'The number of visitors of each variation, and the share that it should have.' }),
    dimension: z
      .object({
        name: z.string(),
        value: z.string(),
        variations: z.object({ ...variationFields, units: z.int(), expected: z.number() }).array(),
      })
      .nullable()
      .meta({
        description:
          'The visitors whose split is the furthest from the weights, such as `country` = `DE`. Null if exposures have no context.',
      }),
    ...alarmFields,
  })
  .meta({ id: 'SampleRatioAlarm' })
const trafficAlarm = z
  .object({
    check: z.enum(['TRAFFIC_DROP', 'NO_EXPOSURES', 'TRAFFIC_CAP', 'VARIATION_STARVED', 'COMPUTATION']).meta({
      description: 'See [health](statistics.md#health). `COMPUTATION`: results or a part of them cannot be computed.',
    }),
    observed: figure,
    expected: figure,
    threshold: figure,
    variations: z.object(variationFields).array().meta({ description: 'The variations without visitors.' }),
    dimension: z
      .object({ name: z.string(), value: z.string(), observed: z.int(), expected: z.number() })
      .nullable()
      .meta({
        description: 'Present only for a drop: the visitors who are missing the most, such as `country` = `DE`.',
      }),
    ...alarmFields,
  })
  .meta({ id: 'TrafficAlarm' })
const metricAlarm = z
  .object({
    check: z.literal('GUARDRAIL_METRIC'),
    state: z.literal('BREACHED').meta({ description: 'The metric is proven to be worse than the margin allows.' }),
    variation: z.object(variationFields),
    margin: z.number(),
    contrast: figure,
    lowerBound: figure,
    upperBound: figure,
    dimension: z
      .object({ name: z.string(), value: z.string(), contrast: figure, lowerBound: figure, upperBound: figure })
      .nullable()
      .meta({
        description:
          'The visitors for whom the metric is the most clearly worse, such as `country` = `DE`. Null if exposures have no context.',
      }),
    ...alarmFields,
  })
  .meta({ id: 'GuardrailMetricAlarm' })
const codeAlarm = z
  .object({
    check: z.literal('CODE_ERROR'),
    variation: z.object(variationFields),
    message: z.string().meta({ description: 'What the code threw, at most 200 characters.' }),
    line: z
      .int()
      .nullable()
      .meta({ description: 'Within the code of the variation, from 1; null if it is not known.' }),
    visitors: z.int().meta({ description: 'How many visitors have met it.' }),
    firstSeenAt: timeField,
    ...alarmFields,
  })
  .meta({ id: 'CodeErrorAlarm' })
const digest = z
  .object({
    asOf: alarmFields.asOf,
    ruleStatus: z.enum(['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']).meta({
      description: 'The status of the rule. Also `PAUSED` if a failed check pauses it now.',
    }),
    runtimeDays: z.number(),
    units: z.int().meta({ description: 'The visitors that results count.' }),
    variations: z.object({ ...variationFields, units: z.int(), share: figure }).array(),
    health: z.object({
      status: z.enum(['NOT_MEASURED', 'NOT_ENOUGH_DATA', 'OK', 'WARNING', 'FAILED']),
      failed: z.string().array().meta({ description: 'The checks that failed.' }),
    }),
    metrics: z
      .object({
        id: idField,
        key: z.string(),
        name: z.string(),
        role: z.enum(['PRIMARY', 'SECONDARY', 'GUARDRAIL']),
        variations: z
          .object({
            ...variationFields,
            mean: figure,
            lift: z
              .object({ estimate: figure, ciLow: figure, ciHigh: figure })
              .nullable()
              .meta({ description: 'Null for the baseline.' }),
            significant: z.boolean().nullable(),
            guardrail: z.enum(['PASSED', 'INCONCLUSIVE', 'BREACHED']).nullable(),
          })
          .array(),
      })
      .array(),
    progress: figure.meta({ description: 'Share of the planned visitors, 0 to 1; null without a plan.' }),
    recommendation: z
      .object({
        action: z.string(),
        variationId: z.string().nullable(),
        reasons: z.string().array(),
        breached: z
          .object({ metricId: z.string(), name: z.string(), variationId: z.string() })
          .array()
          .optional()
          .meta({ description: 'The guardrail metrics that are proven to be worse than their margin allows.' }),
      })
      .nullable()
      .meta({ description: 'Advice only: a person declares the winner. Null for a targeted delivery.' }),
  })
  .meta({ id: 'ResultsDigest' })

export type SampleRatioAlarm = z.input<typeof srmAlarm>
export type TrafficAlarm = z.input<typeof trafficAlarm>
export type GuardrailMetricAlarm = z.input<typeof metricAlarm>
export type CodeErrorAlarm = z.input<typeof codeAlarm>
export type DigestOf = z.input<typeof digest>

const ofRule = { ...ofFlag, ...ofEnvironment, rule: ruleField }
const ofExperimentRule = {
  ...ofExperiment,
  flag: flagField.optional().meta({ description: 'Absent for a web experiment.' }),
  ...ofEnvironment,
  rule: ruleField,
}

/** The fields of bodies that are not nouns. */
type Detail =
  | 'dataFile'
  | 'script'
  | 'changes'
  | 'schedule'
  | 'previousName'
  | 'reason'
  | 'alarm'
  | 'results'
  | 'winner'
  | 'sdkKey'
  | 'ingestKey'
  | 'visitors'
  | 'kind'
  | 'projectId'
  | 'projectName'
  | 'link'
  | 'itemsSkipped'
  | 'changed'
  | 'orders'
  | 'run'
  | 'variation'
  | 'changeSet'
  | 'via'

/** A body must name what its event is about. The project is in every body. */
type Payload<N extends EventName> = { [field in NounField | Detail]?: z.ZodType } & {
  [field in Exclude<BodyFieldOf<AboutOf<N>>, 'project'>]: z.ZodType
}

/**
 * The fields of each event, in addition to those of every body. This build sends exactly these events: an event without
 * a row cannot be recorded. Bodies can gain fields, and receivers ignore unknown fields.
 */
export const payloads = {
  'flag.created': ofFlag,
  'flag.updated': {
    flag: flagField.optional().meta({ description: 'Absent if `flags` lists several flags.' }),
    environment: environmentField
      .optional()
      .meta({ description: 'Present only if rules, overrides, the default or the switch of an environment changed.' }),
    rule: ruleField.optional().meta({ description: 'The rule that was changed, run or paused.' }),
    rules: ruleField.array().optional().meta({
      description: 'Present for several rules: those that were copied or went live, or all rules in their new order.',
    }),
    flags: z
      .array(flagField.extend({ changes: changeField.array() }))
      .optional()
      .meta({ description: 'Published changes that are not in a data file, such as the name of a rule.' }),
  },
  'flag.archived': ofFlag,
  'flag.unarchived': ofFlag,
  'flag.deleted': ofFlag,
  'flag.published': {
    ...ofEnvironment,
    reason: publishReasonField,
    dataFile: z
      .object({
        revision: z.int(),
        previousRevision: z.int(),
        etag: z.string(),
        url: z.url().meta({ description: 'Where SDKs fetch the file. It always serves the newest revision.' }),
      })
      .meta({ description: 'There is one event per environment and revision. `revision` grows with every change.' }),
    flags: z
      .array(
        flagField.extend({
          before: servedField.meta({
            description: 'The flag in the data file before the change; null if it was not there.',
            examples: [servedExample(2500)],
          }),
          after: servedField.meta({
            description: 'The flag in the data file after the change; null if it is not there.',
            examples: [servedExample(5000)],
          }),
        }),
      )
      .meta({ description: 'The flags that can now have a different value for visitors.' }),
    audiences: z
      .array(
        z.object({
          id: idField,
          before: z.unknown().meta({ examples: [conditionsExample('NL')] }),
          after: z.unknown().meta({ examples: [conditionsExample('NL', 'BE')] }),
        }),
      )
      .optional()
      .meta({
        description:
          'Audiences that changed in the data file, with their conditions; null if not in the file. Absent if none changed.',
      }),
  },
  'flag.rule_activated': {
    ...ofEnvironment,
    ...ofFlag,
    rule: ruleField,
  },
  'flag.srm_failed': { ...ofRule, alarm: srmAlarm },
  'flag.guardrail_breached': { ...ofRule, alarm: trafficAlarm },
  'flag.results_ready': { ...ofRule, results: digest },
  'flag.schedule_updated': scheduled,
  'flag.schedule_failed': scheduled,
  'experiment.srm_failed': { ...ofExperimentRule, alarm: srmAlarm },
  'experiment.guardrail_breached': { ...ofExperimentRule, alarm: trafficAlarm },
  'experiment.guardrail_metric_breached': { ...ofExperimentRule, ...ofMetric, alarm: metricAlarm },
  'experiment.code_error_detected': { ...ofExperimentRule, alarm: codeAlarm },
  'experiment.results_ready': { ...ofExperimentRule, results: digest },
  ...plainPayloads,
  'audience.updated': {
    ...plain('audience'),
    environment: environmentField.optional().meta({
      description:
        'Present only if a publish made the change live without a new data file, or in a project of the type WEB. Otherwise the audience itself was edited.',
    }),
  },
  'segment.created': ofSegment,
  'segment.updated': ofSegment,
  'segment.deleted': ofSegment,
  'experiment.created': ofExperiment,
  'experiment.updated': {
    ...ofExperiment,
    schedule: scheduleSchema
      .optional()
      .meta({ description: 'Present only if its schedule was set, suspended, cancelled or carried out.' }),
    changes: changeField
      .array()
      .optional()
      .meta({ description: 'Present only if code was saved: that it changed, without its text.' }),
  },
  'experiment.deleted': ofExperiment,
  'experiment.schedule_failed': { ...ofExperimentRule, schedule: scheduleSchema },
  'experiment.launched': ofExperiment,
  'experiment.paused': ofExperiment,
  'experiment.resumed': ofExperiment,
  'experiment.completed': ofExperiment,
  'experiment.winner_declared': { ...ofExperiment, winner: winnerSchema },
  'experiment.changes_published': {
    ...ofExperiment,
    changes: changeField
      .array()
      .meta({ description: 'The changed fields of the experiment. For the allowlist, only the fact that it changed.' }),
    dataFile: z.object({ revision: z.int(), previousRevision: z.int(), etag: z.string() }),
    script: scriptSchema.optional().meta({ description: 'Only for a web experiment.' }),
  },
  'experiment.visual_changes.saved': {
    ...ofExperiment,
    variation: z.object({ id: idField, key: z.string(), name: z.string() }).meta({ id: 'EventVariation' }),
    changeSet: z
      .object({
        count: z.int().meta({ description: 'How many changes the variation has now, as drafted.' }),
        previousCount: z.int(),
      })
      .meta({ id: 'EventChangeSet' }),
    via: z.enum(['EDITOR', 'API']).meta({ description: 'EDITOR: the visual editor saved the changes.' }),
  },
  'experiment.archived': ofExperiment,
  'experiment.unarchived': ofExperiment,
  'catalog.feed_sync.completed': {
    ...ofCommerce,
    link: z.url().meta({ description: 'The page of the job in the dashboard.' }),
    job: jobField,
    itemsSkipped: z.int().meta({ description: 'How many rows of the file gave no item.' }),
    changed: z.boolean().meta({ description: 'False: the catalog is as before, and has no new revision.' }),
    catalog: syncedCatalog,
  },
  'commerce.import.completed': {
    ...ofCommerce,
    link: z.url().meta({ description: 'The page of the job in the dashboard.' }),
    job: jobField,
    itemsSkipped: z.int().meta({ description: 'How many rows of the file gave nothing.' }),
    changed: z.boolean().meta({ description: 'False: all is as before.' }),
    catalog: syncedCatalog.optional().meta({ description: 'Of a file of products.' }),
    orders: z
      .object({ added: z.int(), changed: z.int(), unchanged: z.int() })
      .meta({ id: 'EventImportedOrders' })
      .optional()
      .meta({ description: 'Of a file of orders.' }),
  },
  'dataset.version.activated': {
    ...ofCommerce,
    link: z.url().meta({ description: 'The page of the job in the dashboard, or of the dataset if there is no job.' }),
    job: jobField.nullable().meta({ description: 'Null: a person chose the version.' }),
    dataset: z
      .object({ ...namesOf.key, version: z.int(), rows: z.int() })
      .meta({ id: 'EventDatasetVersion', description: 'The dataset, with the version that is active now.' }),
  },
  'recommendation.run.completed': {
    ...ofCommerce,
    link: z.url().meta({ description: 'The page of the job in the dashboard.' }),
    job: jobField,
    run: z
      .object({
        id: idField,
        activated: z.boolean().meta({ description: 'Whether the run serves from now on.' }),
        metrics: runMetricsField,
      })
      .meta({ id: 'EventRecommendationRun' }),
  },
  'commerce.job_failed': {
    ...ofCommerce,
    link: z.url().meta({ description: 'The page of the job in the dashboard, or of the source if there is no job.' }),
    reason: z.string().meta({
      description: 'Why the job failed, or what the service has noticed about it or the schedule of the source.',
    }),
    job: jobField.nullable().meta({ description: 'Null: the schedule of the source is not kept.' }),
  },
  'catalog.updated': {
    catalog: z
      .object({ id: idField, revision: z.int(), items: z.int(), products: z.int() })
      .meta({ id: 'EventCatalog', description: 'The catalog after the change.' }),
    changes: z
      .object({ added: z.int(), changed: z.int(), removed: z.int() })
      .meta({ id: 'EventCatalogChanges' })
      .nullable()
      .meta({ description: 'Counts of items. Null if only the settings have changed.' }),
  },
  'job.updated': {
    job: z
      .object({ ...jobFields, status: z.enum(jobStatuses).meta({ description: 'The status after the request.' }) })
      .meta({ id: 'EventUpdatedJob' }),
  },
  'visitor.erased': { visitors: z.int().meta({ description: 'How many visitors were erased.' }) },
  'project.created': {},
  'project.updated': {
    previousName: z.string().optional().meta({ description: 'Absent if the web settings changed.' }),
  },
  'project.deleted': {},
  'environment.created': ofEnvironment,
  'environment.updated': ofEnvironment,
  'environment.deleted': ofEnvironment,
  'environment.sdk_key_created': { ...ofEnvironment, sdkKey: sdkKeyField },
  'environment.sdk_key_revoked': { ...ofEnvironment, sdkKey: sdkKeyField },
  'environment.ingest_key_created': { ...ofEnvironment, ingestKey: ingestKeyField },
  'environment.ingest_key_revoked': { ...ofEnvironment, ingestKey: ingestKeyField },
  'webhook.created': ofWebhook,
  'webhook.updated': ofWebhook,
  'webhook.deleted': ofWebhook,
  'webhook.secret_rotated': ofWebhook,
  'webhook.tested': ofWebhook,
  'webhook.delivery_retried': ofWebhook,
  'webhook.disabled': { ...ofWebhook, reason: z.string() },
  'destination.created': ofDestination,
  'destination.updated': ofDestination,
  'destination.deleted': ofDestination,
  'destination.tested': ofDestination,
  'destination.delivery_retried': ofDestination,
  'destination.disabled': { ...ofDestination, reason: z.string() },
  'token.expiring': {
    token: z.object({ id: idField, name: z.string(), expiresAt: timeField }),
  },
} satisfies { [N in EventName]?: Payload<N> }

/** The events that a change can record. */
export type RecordedName = keyof typeof payloads

/** What an event carries. */
type FullPayloadOf<N extends RecordedName> = z.input<z.ZodObject<(typeof payloads)[N]>>

/** The same, as passed to `record`: the reason of a publication follows from the action (`actions.ts`). */
export type PayloadOf<N extends RecordedName> = N extends 'flag.published'
  ? Omit<FullPayloadOf<N>, 'reason'>
  : FullPayloadOf<N>

export type ProducedEvent = RecordedName | 'webhook.test'

const baseFields = {
  id: idField.meta({ description: 'Id of the delivery, as in `X-Svc-Delivery-Id`; in the feed, id of the event.' }),
  timestamp: timeField.meta({ description: 'Time of the event: ISO 8601 in UTC with milliseconds.' }),
  project: z
    .object({ id: idField, shortId: z.int(), name: z.string() })
    .meta({ id: 'EventProject', description: 'Project of the event.' }),
  triggeredBy: z
    .object({
      type: z.enum(['user', 'service_token', 'personal_token']).meta({
        description: '`user`: a person signed in to the dashboard.',
      }),
      id: idField.meta({ description: 'Id of the person, also for a personal token; otherwise of the service token.' }),
      name: z.string(),
      email: z.string().nullable(),
      role: z.string().nullable(),
    })
    .meta({ id: 'EventAuthor' })
    .nullable()
    .meta({ description: 'Who caused the event; null for the service itself.' }),
}

const entries = Object.entries(payloads) as [RecordedName, z.ZodRawShape][]

/** The bodies of deliveries, by the name of their event. */
export const bodySchemas = {
  ...(Object.fromEntries(entries.map(([name, fields]) => [name, body(name, fields)])) as Record<
    RecordedName,
    z.ZodObject
  >),
  'webhook.test': z
    .object({
      id: baseFields.id,
      event: z.literal('webhook.test'),
      timestamp: baseFields.timestamp,
      project: z.object({ id: idField }),
      test: z.literal(true),
      message: z.string(),
    })
    .meta({ id: bodyNameOf('webhook.test') }),
} satisfies Record<ProducedEvent, z.ZodObject>

export const isProduced = (name: EventName): name is ProducedEvent => Object.hasOwn(bodySchemas, name)

function body(name: RecordedName, fields: z.ZodRawShape): z.ZodObject {
  const { id, timestamp, project, triggeredBy } = baseFields
  return z
    .object({ id, event: z.literal(name), timestamp, project, ...fields, triggeredBy })
    .meta({ id: bodyNameOf(name) })
}

/** The name of a body in the OpenAPI document: `FlagCreatedEvent`. */
export function bodyNameOf(name: EventName): string {
  return `${name.replaceAll(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase())}Event`
}

/** An endpoint that is gone for good answers this. Its delivery is not tried again. */
export const goneStatus = 410
