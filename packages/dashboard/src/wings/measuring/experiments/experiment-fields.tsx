import { Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import type { Form } from '../../../ui/form/form.tsx'
import { ListField } from '../../../ui/form/list-field.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { RuleFields } from '../../flags/rules/rule-fields.tsx'
import type { RuleDefinition } from '../../flags/rules/rule-rows.ts'
import { SizeCalculator } from '../calculators/size-calculator.tsx'
import type { ExperimentValues } from './experiment-form.ts'
import { pausingChecks } from './experiment-words.ts'

/** Also a form that has more fields. */
type ExperimentForm = Omit<Form<ExperimentValues>, 'save' | 'reset'>

export function HypothesisField({ form }: { form: ExperimentForm }) {
  return (
    <Textarea
      {...form.field('hypothesis')}
      label="Hypothesis"
      description="If we …, then …, because …"
      autosize
      minRows={2}
    />
  )
}

/** What an experiment tests. `live` is what visitors get now. */
export function ExperimentFields({ form, live }: { form: ExperimentForm; live: RuleDefinition | undefined }) {
  const { values, set, setAll } = form
  return (
    <>
      <HypothesisField form={form} />
      <RuleFields type="AB_TEST" values={values} set={setAll} faults={form.faults} issues={form.issues} live={live} />
      <PlanField form={form} />
      <Disclosure summary="Calculate how many visitors it needs">
        <SizeCalculator
          fixed={{ test: values.test, variations: String(values.variations.length) }}
          onChoose={(units) => set('plannedUnits', units.toLocaleString('en'))}
        />
      </Disclosure>
    </>
  )
}

export function PlanField({ form }: { form: ExperimentForm }) {
  return (
    <>
      <TextInput
        {...form.field('plannedUnits')}
        label="Planned visitors in each variation"
        description="With a plan, the results can say how far the test is, and at its end that there is no effect of the planned size."
        inputMode="numeric"
        autoComplete="off"
      />
      <TextInput
        {...form.field('maxUnits')}
        label="Visitor limit"
        description="Optional. With more, health warns that the test may be forgotten. The test keeps running."
        inputMode="numeric"
        autoComplete="off"
      />
    </>
  )
}

/** What acts at once, also while the test runs. */
export function OwnFields({ form, isOver }: { form: ExperimentForm; isOver: boolean }) {
  return (
    <Stack gap="md">
      {!isOver && <PausesField form={form} />}
      <TagsField form={form} />
    </Stack>
  )
}

export function PausesField({ form: { values, set, error } }: { form: ExperimentForm }) {
  const { project } = usePlace()
  const offered = pausingChecks.filter(({ check }) => check !== 'codeErrors' || project.type === 'WEB')
  return (
    <Choices
      legend="Auto-pause when"
      name="autoPause"
      description="A paused test gives visitors what they got before. You resume it, or complete it."
      error={error('autoPause')}
    >
      {offered.map(({ check, label }) => (
        <Checkbox
          key={check}
          label={label}
          checked={values.autoPause.includes(check)}
          onChange={(event) =>
            set(
              'autoPause',
              pausingChecks.flatMap((each) =>
                (each.check === check ? event.currentTarget.checked : values.autoPause.includes(each.check))
                  ? [each.check]
                  : [],
              ),
            )
          }
        />
      ))}
    </Choices>
  )
}

export function TagsField({ form: { values, set } }: { form: ExperimentForm }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        Tags
      </Text>
      <ListField label="Tags" values={values.tags} onChange={(tags) => set('tags', tags)} />
    </div>
  )
}
