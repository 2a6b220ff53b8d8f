import { Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { Issue } from '@svc/client'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { whoOf } from '../../../ui/changes/rule-sentence.ts'
import { ConditionBuilder } from '../../../ui/conditions/condition-builder.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ListField } from '../../../ui/form/list-field.tsx'
import { PercentField } from '../../../ui/form/percent-field.tsx'
import { SplitControl } from '../../../ui/form/split-control.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { even } from '../../../ui/words/percent.ts'
import { useSeenAttributes } from '../audiences/seen-attributes.ts'
import { useTargeting } from '../flags/targeting-place.ts'
import { MetricFields } from './metric-fields.tsx'
import { MovedVisitors } from './moved-visitors.tsx'
import type { RuleType, RuleValues } from './rule-form.ts'
import type { RuleDefinition } from './rule-rows.ts'
import { ValidityFields } from './validity-fields.tsx'

interface RuleFieldsProps {
  type: RuleType
  values: RuleValues
  set: (next: Partial<RuleValues>) => void
  faults: readonly { name: string; message: string }[]
  issues: readonly Issue[]
  /** What visitors get now. */
  live: RuleDefinition | undefined
}

export function RuleFields({ type, values, set, faults, issues, live }: RuleFieldsProps) {
  const errorOf = (name: keyof RuleValues) => faults.find((fault) => fault.name === name)?.message
  const part = { values, set, errorOf, live }
  return (
    <Stack gap="lg">
      <NameField
        {...part}
        description={`For example: ${type === 'AB_TEST' ? 'Shorter checkout form' : 'Beta users in Benelux'}.`}
      />
      <WhoFields {...part} issues={issues} />
      {type === 'AB_TEST' ? (
        <>
          <SplitFields {...part} />
          <TrafficField {...part} />
          <MetricFields chosen={values.metrics} onChange={(metrics) => set({ metrics })} error={errorOf('metrics')} />
          <ValidityFields {...part} />
        </>
      ) : (
        <RolloutFields {...part} />
      )}
      <Always type={type} values={values} set={set} />
      <DrawingFields {...part} />
    </Stack>
  )
}

export function NameField({ values, set, errorOf, description }: PartProps & { description: string }) {
  return (
    <TextInput
      name="name"
      label="Name"
      description={description}
      value={values.name}
      error={errorOf('name')}
      onChange={(event) => set({ name: event.currentTarget.value })}
      autoComplete="off"
    />
  )
}

type Who = Pick<RuleValues, 'audienceIds' | 'conditions'>

interface WhoProps extends Pick<RuleFieldsProps, 'issues'> {
  values: Who
  set: (next: Partial<Who>) => void
  errorOf: (name: keyof Who) => string | undefined
}

/** Whom the rule is for. */
export function WhoFields({ values, set, errorOf, issues }: WhoProps) {
  const { data: index } = useProjectIndex()
  const seen = useSeenAttributes()
  const audiences = index?.audiences ?? []
  return (
    <>
      {(audiences.length > 0 || values.audienceIds.length > 0) && (
        <Choices
          legend="Audiences"
          name="audienceIds"
          description="Visitors in any of these. If you select none, everyone."
          error={errorOf('audienceIds')}
        >
          {audiences.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={values.audienceIds.includes(id)}
              onChange={(event) =>
                set({
                  audienceIds: event.currentTarget.checked
                    ? [...values.audienceIds, id]
                    : values.audienceIds.filter((each) => each !== id),
                })
              }
            />
          ))}
        </Choices>
      )}
      <ConditionBuilder
        label="Who"
        condition={values.conditions}
        onChange={(conditions) => set({ conditions })}
        reads={whoOf(values)}
        attributes={index?.attributes ?? []}
        seen={seen}
        audiences={audiences}
        segments={index?.segments ?? []}
        error={errorOf('conditions')}
        refused={issues}
      />
    </>
  )
}

export function DrawingFields({ values, set, errorOf }: PartProps) {
  return (
    <Disclosure summary="Description and bucketing">
      <Stack gap="sm">
        <Textarea
          name="description"
          label="Description"
          value={values.description}
          error={errorOf('description')}
          onChange={(event) => set({ description: event.currentTarget.value })}
          autosize
          minRows={2}
        />
        <TextInput
          name="bucketBy"
          label="Bucketed by"
          description="The attribute that decides who is in the share. With targetingKey, it is the id of the visitor."
          value={values.bucketBy}
          error={errorOf('bucketBy')}
          onChange={(event) => set({ bucketBy: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
      </Stack>
    </Disclosure>
  )
}

export interface PartProps extends Pick<RuleFieldsProps, 'values' | 'set' | 'live'> {
  errorOf: (name: keyof RuleValues) => string | undefined
}

function RolloutFields({ values, set, errorOf, live }: PartProps) {
  const { flag } = useTargeting()
  return (
    <>
      <NativeSelect
        name="variationKey"
        label="They get"
        value={values.variationKey}
        error={errorOf('variationKey')}
        onChange={(event) => set({ variationKey: event.currentTarget.value })}
        data={flag.variations.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))}
      />
      <PercentField
        name="trafficAllocation"
        label="Share"
        value={values.trafficAllocation}
        onChange={(trafficAllocation) => set({ trafficAllocation })}
        live={live?.trafficAllocation}
        error={errorOf('trafficAllocation')}
        description="Raising the share adds visitors, and those who have it keep it."
      />
      <Checkbox
        name="exposures"
        label="Count exposures"
        description="SDKs report each visitor who gets the rule. The service then counts visitors and watches the rollout for harm. Without it, a rollout is not measured."
        checked={values.exposures}
        onChange={(event) => set({ exposures: event.currentTarget.checked })}
      />
    </>
  )
}

/** The variations that are compared. */
export function SplitFields({ values, set, errorOf, live }: PartProps) {
  const { flag, hasOwnVariations = false } = useTargeting()
  const inTest = values.variations.map(({ variationKey }) => variationKey)
  const named = inTest.map((key) => ({ key, name: flag.variations.find((each) => each.key === key)?.name ?? key }))
  const choose = (key: string, isIn: boolean) => {
    const keys = flag.variations.map((each) => each.key).filter((each) => (each === key ? isIn : inTest.includes(each)))
    const weights = even(keys.length)
    set({
      variations: keys.map((variationKey, at) => ({ variationKey, weight: weights[at]! })),
      ...(!keys.includes(values.baselineVariationKey) && { baselineVariationKey: keys[0] ?? '' }),
    })
  }
  const liveWeights = live?.type === 'AB_TEST' ? weightsBy(inTest, live.variations) : undefined
  const isMoving =
    live?.type === 'AB_TEST' &&
    (JSON.stringify(live.variations) !== JSON.stringify(values.variations) || live.bucketBy !== values.bucketBy)
  return (
    <>
      {flag.variations.length > 2 && !hasOwnVariations && (
        <Choices legend="Variations in this test" name="variations" error={errorOf('variations')}>
          {flag.variations.map(({ key, name }) => (
            <Checkbox
              key={key}
              label={name}
              checked={inTest.includes(key)}
              onChange={(event) => choose(key, event.currentTarget.checked)}
            />
          ))}
        </Choices>
      )}
      <SplitControl
        label="Split"
        variations={named}
        weights={values.variations.map(({ weight }) => weight)}
        onChange={(weights) =>
          set({ variations: inTest.map((variationKey, at) => ({ variationKey, weight: weights[at]! })) })
        }
        live={liveWeights}
        error={errorOf('variations')}
      />
      {isMoving && <MovedVisitors ruleId={live.id} variations={values.variations} bucketBy={values.bucketBy} />}
      <NativeSelect
        name="baselineVariationKey"
        label="Baseline"
        description="Results compare the other variations with this one."
        value={values.baselineVariationKey}
        error={errorOf('baselineVariationKey')}
        onChange={(event) => set({ baselineVariationKey: event.currentTarget.value })}
        data={named.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))}
      />
    </>
  )
}

/** How many of the visitors take part. */
export function TrafficField({ values, set, errorOf, live }: PartProps) {
  return (
    <PercentField
      name="trafficAllocation"
      label="Traffic"
      value={values.trafficAllocation}
      onChange={(trafficAllocation) => set({ trafficAllocation })}
      live={live?.trafficAllocation}
      error={errorOf('trafficAllocation')}
      description="How many of these visitors take part. The others get what the rules below say."
    />
  )
}

/** Weights in the order of these keys; undefined if the live test has others. */
function weightsBy(
  keys: readonly string[],
  variations: readonly { variationKey: string; weight: number }[],
): number[] | undefined {
  const weights = keys.flatMap((key) => variations.find(({ variationKey }) => variationKey === key)?.weight ?? [])
  return weights.length === keys.length ? weights : undefined
}

/** Visitors who always get a variation. */
export function Always({ type, values, set }: Pick<RuleFieldsProps, 'type' | 'values' | 'set'>) {
  const { flag } = useTargeting()
  const used = new Set(values.always.map(({ variationKey }) => variationKey))
  const given = type === 'AB_TEST' ? values.variations.map(({ variationKey }) => variationKey) : [values.variationKey]
  const keys = flag.variations.map(({ key }) => key).filter((key) => given.includes(key) || used.has(key))
  const idsOf = (key: string) => values.always.filter(({ variationKey }) => variationKey === key).map(({ id }) => id)
  return (
    <div>
      <Text size="sm" fw={600}>
        Individual visitors
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        These visitors get the variation here, whatever the share says. They are not counted in results.
      </Text>
      <Stack gap="xs">
        {keys.map((key) => (
          <ListField
            key={key}
            label={`Visitors who always get ${key} by this rule`}
            placeholder={`Visitor ids that get ${key}`}
            values={idsOf(key)}
            onChange={(ids) =>
              set({
                always: [
                  ...values.always.filter(({ id, variationKey }) => variationKey !== key && !ids.includes(id)),
                  ...ids.map((id) => ({ id, variationKey: key })),
                ],
              })
            }
          />
        ))}
      </Stack>
    </div>
  )
}
