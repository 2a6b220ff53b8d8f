import { Button, Checkbox, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, type Form, first, required } from '../../../ui/form/form.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { eventsInWords, safetyEvents } from '../deliveries/events.ts'
import { EventChoices } from '../webhooks/webhook-fields.tsx'
import classes from './destination-form.module.css'
import type { Kind } from './destination-path.ts'
import { type Digest, digests } from './digests.ts'
import { type ConfigField, type ConfigValues, configOf, fieldOf, presets, problemOf, rowOf } from './kinds.ts'
import { Preview } from './preview.tsx'

export type DestinationValues = ConfigValues & {
  name: string
  events: string[]
  environmentIds: string[]
  allProjects: boolean
  'template.title': string
  'template.summary': string
  digest: Digest
  quietHours: boolean
}

/** What is checked before the service is asked. */
export const rulesOf = (kind: Kind) => ({
  name: required('Enter a name.'),
  events: (events: unknown) => ((events as string[]).length === 0 ? 'Choose at least one event.' : undefined),
  ...Object.fromEntries(
    rowOf(kind).fields.map((field) => [fieldOf(field.name), (text: unknown) => problemOf(field, String(text))]),
  ),
})

/** The body of a form, without its kind. */
export function bodyOf(kind: Kind, values: DestinationValues, isEdit = false) {
  const title = values['template.title'].trim()
  const summary = values['template.summary'].trim()
  return {
    name: values.name,
    config: configOf(kind, values, isEdit),
    events: values.events as never,
    environmentIds: values.environmentIds.length > 0 ? values.environmentIds : null,
    allProjects: values.allProjects,
    template: title || summary ? { title: title || null, summary: summary || null } : null,
    digest: values.digest,
    quietHours: values.quietHours,
  }
}

interface DestinationFormProps {
  kind: Kind
  form: Form<DestinationValues>
  verb: string
  actions?: ReactNode
}

/** The form of a destination on the left, and the message that it makes on the right. */
export function DestinationForm({ kind, form, verb, actions }: DestinationFormProps) {
  const { label, where, fields } = rowOf(kind)
  const { values } = form
  const seesAll = useMay('org:read')
  const canFold = ['SLACK', 'TEAMS', 'DISCORD', 'GOOGLE_CHAT', 'EMAIL'].includes(kind)
  return (
    <div className={classes.columns}>
      <ApiForm form={form} verb={verb} actions={actions} summary={eventsInWords(values.events)}>
        <TextInput
          {...form.field('name')}
          label="Name"
          description="For the people here, such as the name of the channel."
          autoComplete="off"
          {...first}
        />
        <Text size="sm">{where}</Text>
        {fields.map((field) => (
          <ConfigInput key={field.name} field={field} form={form} />
        ))}
        <EnvironmentChoices form={form} />
        {seesAll && (
          <Checkbox
            label="Events of every project"
            description="Only people who can see all projects can choose this."
            checked={values.allProjects}
            onChange={({ currentTarget }) => form.set('allProjects', currentTarget.checked)}
          />
        )}
        {canFold && (
          <NativeSelect
            {...form.field('digest')}
            label="When"
            description="Safety events that you choose are sent at once."
            data={[...digests]}
          />
        )}
        <Checkbox
          label="Keep the quiet hours of the organization"
          description="Events during quiet hours are sent when they end. Safety events do not wait."
          checked={values.quietHours}
          onChange={({ currentTarget }) => form.set('quietHours', currentTarget.checked)}
        />
        {kind !== 'TEMPLATE' && <CustomText form={form} />}
        <EventChoices form={form as never}>
          <Group gap="xs">
            {presets.map((preset) => (
              <Button
                key={preset.label}
                size="xs"
                variant="default"
                onClick={() => form.set('events', [...(preset.events === 'SAFETY' ? safetyEvents : preset.events)])}
              >
                {preset.label}
              </Button>
            ))}
          </Group>
        </EventChoices>
      </ApiForm>
      <div className={classes.aside}>
        <Section title={`In ${label}`} description="The message that this form makes.">
          <Preview kind={kind} events={values.events} {...previewedOf(kind, values)} />
        </Section>
      </div>
    </div>
  )
}

interface FieldsProps {
  form: Form<DestinationValues>
}

function EnvironmentChoices({ form }: FieldsProps) {
  const { environments } = usePlace()
  const { environmentIds } = form.values
  return (
    <Choices
      legend="Environments"
      name="environmentIds"
      description="Choose none for all of them. Safety events that you choose below come from every environment."
      error={form.error('environmentIds')}
    >
      {environments.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={environmentIds.includes(id)}
          onChange={({ currentTarget }) =>
            form.set(
              'environmentIds',
              currentTarget.checked ? [...environmentIds, id] : environmentIds.filter((each) => each !== id),
            )
          }
        />
      ))}
    </Choices>
  )
}

const CustomText = ({ form }: FieldsProps) => (
  <Disclosure summary="Custom text">
    <TextInput
      {...form.field('template.title')}
      label="Title"
      description="{{flag.name}} is a path into the event. Empty: the default text."
      placeholder="{{flag.name}} changed"
    />
    <Textarea
      {...form.field('template.summary')}
      label="Text"
      description="Shown under the title."
      autosize
      minRows={2}
      mt="sm"
    />
  </Disclosure>
)

/** What of a form changes its message. The rest is that of a sample, so that it can be seen before anything is typed. */
function previewedOf(kind: Kind, values: DestinationValues) {
  const { sample, fields } = rowOf(kind)
  const isWhole =
    kind === 'TEMPLATE' &&
    fields.every((field) => field.as !== 'json' || !problemOf(field, values[fieldOf(field.name)]!))
  return {
    config: isWhole ? { ...sample, body: configOf(kind, values).body } : sample,
    template: bodyOf(kind, isWhole || kind !== 'TEMPLATE' ? values : { ...values, 'config.body': '{}' }).template,
  }
}

function ConfigInput({ field, form }: { field: ConfigField; form: Form<DestinationValues> }) {
  const { name, label, description, placeholder, as, isOptional } = field
  const props = {
    ...form.field(fieldOf(name)),
    label: isOptional ? `${label} (optional)` : label,
    description,
    ...(placeholder !== undefined && { placeholder }),
    autoComplete: 'off',
    spellCheck: false,
    onBlur: () => form.check(fieldOf(name)),
  }
  if (as === 'switch')
    return (
      <Checkbox
        label={label}
        description={description}
        checked={form.values[fieldOf(name)] === 'true'}
        onChange={({ currentTarget }) => form.set(fieldOf(name), String(currentTarget.checked) as never)}
      />
    )
  if (as === 'json' || as === 'headers') return <Textarea {...props} autosize minRows={as === 'json' ? 6 : 2} />
  if (typeof as !== 'string') {
    const { placeholder: _none, ...select } = props
    return <NativeSelect {...select} data={[...as]} />
  }
  return <TextInput {...props} />
}
