import { Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { Issue } from '@svc/client'
import { Choices } from '../../../ui/choices.tsx'
import { ConditionBuilder } from '../../../ui/condition-builder.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ListField } from '../../../ui/list-field.tsx'
import { even } from '../../../ui/percent.ts'
import { PercentField } from '../../../ui/percent-field.tsx'
import { SplitControl } from '../../../ui/split-control.tsx'
import { useTargeting } from '../flags/targeting-place.ts'
import { MetricFields } from './metric-fields.tsx'
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
  const { index } = useTargeting()
  const errorOf = (name: keyof RuleValues) => faults.find((fault) => fault.name === name)?.message
  const audiences = index?.audiences ?? []
  return (
    <Stack gap="lg">
      <TextInput
        name="name"
        label="Name"
        description="What people read, for example: Beta users in Benelux."
        value={values.name}
        error={errorOf('name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
        autoComplete="off"
      />
      {(audiences.length > 0 || values.audienceIds.length > 0) && (
        <Choices
          legend="Audiences"
          name="audienceIds"
          description="Visitors in any of these. If you select none, everybody."
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
        attributes={index?.attributes ?? []}
        audiences={audiences}
        segments={index?.segments ?? []}
        issues={
          errorOf('conditions') === undefined
            ? []
            : issues
                .filter(({ path }) => path[0] === 'conditions')
                .map(({ path, message }) => ({ path: path.slice(1), message }))
        }
      />
      {type === 'AB_TEST' ? (
        <TestFields values={values} set={set} errorOf={errorOf} live={live} />
      ) : (
        <RolloutFields values={values} set={set} errorOf={errorOf} live={live} />
      )}
      <Always type={type} values={values} set={set} />
      <Disclosure summary="Description and drawing">
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
            label="Drawn by"
            description="The attribute that decides who is in the share. With targetingKey, it is the id of the visitor."
            value={values.bucketBy}
            error={errorOf('bucketBy')}
            onChange={(event) => set({ bucketBy: event.currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
        </Stack>
      </Disclosure>
    </Stack>
  )
}

interface PartProps extends Pick<RuleFieldsProps, 'values' | 'set' | 'live'> {
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
        description="Raising the share adds visitors. Nobody who has it loses it."
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

function TestFields({ values, set, errorOf, live }: PartProps) {
  const { flag } = useTargeting()
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
  return (
    <>
      {flag.variations.length > 2 && (
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
      <NativeSelect
        name="baselineVariationKey"
        label="Original"
        description="Results compare the other variations with this one."
        value={values.baselineVariationKey}
        error={errorOf('baselineVariationKey')}
        onChange={(event) => set({ baselineVariationKey: event.currentTarget.value })}
        data={named.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))}
      />
      <PercentField
        name="trafficAllocation"
        label="Traffic"
        value={values.trafficAllocation}
        onChange={(trafficAllocation) => set({ trafficAllocation })}
        live={live?.trafficAllocation}
        error={errorOf('trafficAllocation')}
        description="How many of these visitors take part. The others get what the rules below say."
      />
      <MetricFields chosen={values.metrics} onChange={(metrics) => set({ metrics })} error={errorOf('metrics')} />
      <ValidityFields values={values} set={set} errorOf={errorOf} />
    </>
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

function Always({ type, values, set }: Pick<RuleFieldsProps, 'type' | 'values' | 'set'>) {
  const { flag } = useTargeting()
  const used = new Set(values.always.map(({ variationKey }) => variationKey))
  const given = type === 'AB_TEST' ? values.variations.map(({ variationKey }) => variationKey) : [values.variationKey]
  const keys = flag.variations.map(({ key }) => key).filter((key) => given.includes(key) || used.has(key))
  const idsOf = (key: string) => values.always.filter(({ variationKey }) => variationKey === key).map(({ id }) => id)
  return (
    <div>
      <Text size="sm" fw={600}>
        Always
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
