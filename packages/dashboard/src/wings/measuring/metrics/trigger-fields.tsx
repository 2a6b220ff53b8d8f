import { NativeSelect, TextInput } from '@mantine/core'
import { ConditionBuilder } from '../../../ui/conditions/condition-builder.tsx'
import { pageWording } from '../../../ui/conditions/page-words.ts'
import type { Form } from '../../../ui/form/form.tsx'
import type { MetricValues } from './metric-form.ts'
import { triggers } from './trigger-words.ts'

const pageAttributes = ['page.path', 'page.url', 'page.host', 'page.hash', 'page.referrer', 'device', 'language']

/** What the script of a web project tells by itself. */
export function TriggerFields({ form }: { form: Form<MetricValues> }) {
  const on = form.values['trigger.on']
  return (
    <>
      <NativeSelect
        {...form.field('trigger.on')}
        label="Trigger"
        description="The script sends the event while an experiment with this metric runs."
        data={Object.entries(triggers).map(([value, label]) => ({ value, label }))}
      />
      {on !== 'NONE' && on !== 'PAGE_VIEW' && (
        <TextInput
          {...form.field('trigger.selector')}
          label="Selector"
          description="The elements in CSS, for example: a.cta."
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {on !== 'NONE' && (
        <ConditionBuilder
          label="Where it counts"
          condition={form.values['trigger.conditions']}
          onChange={(conditions) => form.set('trigger.conditions', conditions)}
          attributes={pageAttributes}
          wording={pageWording}
          error={form.error('trigger.conditions')}
        />
      )}
    </>
  )
}
