import { destinationSecrets } from '@svc/client/catalogue'
import { apiFields, apiLimits } from './api-fields.ts'

/** The subset of JSON Schema that the description of the file uses. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: false | Schema
  items?: Schema
  propertyNames?: Schema
  enum?: readonly unknown[]
  pattern?: string
  not?: Schema
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
}

const {
  CreateEnvironmentBody: environment,
  CreateMetricBody: metric,
  CreateSegmentBody: segment,
  CreateAudienceBody: audience,
  CreateExclusionGroupBody: exclusionGroup,
  CreateHoldoutBody: holdout,
  CreateFlagBody: flag,
  NewVariation: variation,
  ReplaceDraftBody: draft,
  DraftedDeliveryRule: delivery,
  DraftedAbTestRule: test,
  CreateWebhookBody: webhook,
  NewSlackDestination: destination,
} = apiFields

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }
/** The service trims names. */
const named = (name: Schema): Schema => ({ ...name, pattern: '\\S' })
/** Addresses take a key in place of an id, so it must not look like one. */
const keyed = (key: Schema): Schema => ({ ...key, not: { pattern: apiLimits.idShape } })
const yesOrNo: Schema = { type: 'boolean' }
export const sharePattern = '^(\\d{1,2}(\\.\\d{1,2})?|100)%$'
const share: Schema = {
  type: 'string',
  pattern: sharePattern,
  description: 'A share, such as 50% or 33.33%.',
}
const record = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const byKey = (entry: Schema, key?: Schema): Schema => ({
  type: 'object',
  ...(key && { propertyNames: key }),
  additionalProperties: entry,
})
/** A record in the file for a list in the API. */
const counted = (entries: Schema, { minItems, maxItems }: Schema): Schema => ({
  ...entries,
  ...(minItems !== undefined && { minProperties: minItems }),
  ...(maxItems !== undefined && { maxProperties: maxItems }),
})
const anything: Schema = {}
const object: Schema = { type: 'object' }
const eventOf = { event: metric.eventKey, valueFrom: metric.valueFrom }
const triggerOf = metric.trigger.properties
const visitorIds = draft.overrides.properties.environmentAllowlist.items.properties.userIds

/** The JSON Schema of the file. Editors check by it, and so does the command line. */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Svc configuration',
  description: 'What a project contains, for svc export, svc plan and svc apply.',
  ...record(
    {
      version: { enum: [1] },
      project: {
        ...record({ key: text, name: text }),
        type: ['string', 'object'],
        description: 'The key of the project, as in svc.json, or its key and name.',
      },
      environments: byKey(
        record(
          {
            name: named(environment.name),
            color: environment.color,
            protected: { ...yesOrNo, description: 'If omitted, the file does not manage it.' },
          },
          'name',
        ),
        keyed(environment.key),
      ),
      metrics: byKey(
        record(
          {
            name: named(metric.name),
            type: metric.type,
            ...eventOf,
            denominator: { ...record(eventOf, 'event'), type: ['object', 'null'] },
            direction: metric.direction,
            unit: metric.unit,
            conversionWindowHours: metric.conversionWindowHours,
            winsorizeAt: metric.winsorizeAt,
            nonInferiorityMargin: metric.nonInferiorityMargin,
            trigger: {
              ...record({ on: triggerOf.on, selector: triggerOf.selector, conditions: anything }, 'on'),
              type: ['object', 'null'],
            },
            archived: yesOrNo,
          },
          'name',
          'type',
          'event',
        ),
        keyed(metric.key),
      ),
      segments: byKey(
        record({ name: named(segment.name), description: segment.description }, 'name'),
        keyed(segment.key),
      ),
      audiences: byKey(
        record(
          { name: named(audience.name), description: audience.description, conditions: object },
          'name',
          'conditions',
        ),
        keyed(audience.key),
      ),
      exclusionGroups: byKey(
        record({ name: named(exclusionGroup.name), slotSize: share }, 'name'),
        keyed(exclusionGroup.key),
      ),
      holdouts: byKey(
        record({ name: named(holdout.name), share, archived: yesOrNo }, 'name', 'share'),
        keyed(holdout.key),
      ),
      flags: byKey(
        record(
          {
            name: named(flag.name),
            description: flag.description,
            type: flag.type,
            tags: flag.tags,
            owner: {
              ...flag.owner,
              description:
                'The e-mail address of a member of the organization; null: nobody. If omitted, the file does not manage it.',
            },
            permanent: yesOrNo,
            valueSchema: { type: ['object', 'null'] },
            variations: counted(
              byKey(record({ name: named(variation.name), value: anything }, 'name', 'value'), variation.key),
              flag.variations,
            ),
            default: { ...text, description: 'Default: the first variation.' },
            environments: byKey(
              record({
                enabled: { ...yesOrNo, description: 'If omitted, the file does not manage it.' },
                default: { ...text, description: 'Default: the default variation of the flag.' },
                rules: { type: 'array', maxItems: draft.rules.maxItems, items: { $ref: '#/$defs/rule' } },
                overrides: {
                  ...record({ environment: byKey(visitorIds), rules: byKey(byKey(visitorIds)) }),
                  description: 'Visitor ids by variation. If omitted, the file does not manage them.',
                },
              }),
            ),
          },
          'name',
          'type',
          'variations',
        ),
        keyed(flag.key),
      ),
      webhooks: byKey(
        record(
          { name: named(webhook.name), url: webhook.url, events: webhook.events, enabled: yesOrNo },
          'name',
          'url',
          'events',
        ),
        keyed(webhook.key),
      ),
      destinations: byKey(
        record(
          {
            name: named(destination.name),
            kind: { enum: Object.keys(destinationSecrets) },
            events: destination.events,
            environments: { ...destination.environmentIds, description: 'Null: all environments.' },
            allProjects: yesOrNo,
            digest: destination.digest,
            quietHours: yesOrNo,
            template: destination.template,
            config: {
              ...object,
              description: 'The fields of the kind that are not secrets. Omitted fields do not change.',
            },
            secrets: {
              ...byKey(record({ env: text }, 'env')),
              description: 'The environment variable of each secret, read by svc plan and svc apply.',
            },
            enabled: yesOrNo,
          },
          'name',
          'kind',
          'events',
        ),
        keyed(destination.key),
      ),
    },
    'version',
  ),
  $defs: {
    rule: record(
      {
        key: keyed(delivery.key),
        experiment: {
          type: 'integer',
          description: 'The short id of the experiment that owns the rule. No other field is allowed beside key.',
        },
        name: named(delivery.name),
        description: delivery.description,
        enabled: {
          ...yesOrNo,
          description: 'If omitted: on for a new rule; for an existing rule, the file does not manage it.',
        },
        audiences: delivery.audienceIds,
        conditions: object,
        bucketBy: delivery.bucketBy,
        traffic: share,
        salt: { ...delivery.salt, description: 'If omitted, the file does not manage it.' },
        variation: { ...text, description: 'What a delivery serves.' },
        exposures: yesOrNo,
        split: { ...counted(byKey(share), test.variations), description: 'The shares of an A/B test.' },
        baseline: text,
        hypothesis: test.hypothesis,
        metrics: test.metrics,
        statistics: test.statistics,
        exclusionGroup: textOrNull,
        holdout: textOrNull,
        sticky: yesOrNo,
      },
      'key',
    ),
  },
} as const satisfies Schema & Record<string, unknown>
