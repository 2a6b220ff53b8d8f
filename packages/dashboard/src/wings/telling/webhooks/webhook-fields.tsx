import { Checkbox, Stack, TextInput, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Choices } from '../../../ui/form/choices.tsx'
import { type Form, first } from '../../../ui/form/form.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { type EventFamily, eventFamilies } from '../deliveries/events.ts'
import classes from './webhook-fields.module.css'

export type WebhookValues = {
  name: string
  url: string
  events: string[]
}

/** Name, address and events, of a new webhook or of one that is edited. */
export function WebhookFields({ form }: { form: Form<WebhookValues> }) {
  return (
    <>
      <TextInput
        {...form.field('name')}
        label="Name"
        description="For example, the service that receives the events."
        autoComplete="off"
        {...first}
      />
      <TextInput
        {...form.field('url')}
        label="Address"
        description="A public address with https. Each event is a POST request to it."
        placeholder="https://hooks.example.com/svc"
        type="url"
        autoComplete="off"
        spellCheck={false}
      />
      <EventChoices form={form} />
    </>
  )
}

interface EventChoicesProps {
  form: {
    values: { events: string[] }
    set: (name: 'events', events: string[]) => void
    error: (name: 'events') => string | undefined
  }
  /** For a reader of messages about one project, who does not see the bodies. */
  isForReader?: boolean
  children?: ReactNode
}

/**
 * The events by family, folded where nothing or all is chosen, each with what it means. `children` come before them.
 */
export function EventChoices({ form, isForReader = false, children }: EventChoicesProps) {
  const { events } = form.values
  const change = (names: readonly string[], isOn: boolean) => {
    const others = events.filter((name) => !names.includes(name))
    form.set('events', isOn ? [...others, ...names] : others)
  }
  return (
    <Choices
      legend="Events"
      name="events"
      {...(!isForReader && { description: 'Every event names the project and who caused it.' })}
      error={form.error('events')}
    >
      {children}
      {eventFamilies().map((family) => (
        <Family key={family.title} family={family} chosen={events} change={change} isForReader={isForReader} />
      ))}
    </Choices>
  )
}

interface FamilyProps {
  family: EventFamily
  chosen: readonly string[]
  change: (names: readonly string[], isOn: boolean) => void
  isForReader: boolean
}

function Family({ family: { title, events }, chosen, change, isForReader }: FamilyProps) {
  const id = useId()
  const names = events.map(({ name }) => name)
  const count = names.filter((name) => chosen.includes(name)).length
  const isMixed = count > 0 && count < names.length
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside a fieldset is read out with both names each time
    <div role="group" aria-labelledby={id} className={classes.family}>
      <Checkbox
        id={id}
        label={`${title}: all`}
        checked={count === names.length}
        indeterminate={isMixed}
        onChange={() => change(names, count < names.length)}
      />
      <div className={classes.events}>
        <Disclosure
          isOpenAtFirst={isMixed}
          summary={
            <>
              <VisuallyHidden>{title}: </VisuallyHidden>
              {count} of {names.length}
            </>
          }
        >
          <Stack gap="xs">
            {events.map(({ name, meaning, carries, isOrganizationWide }) => (
              <Checkbox
                key={name}
                label={<code>{name}</code>}
                description={[
                  `${meaning}.`,
                  !isForReader && `Contains ${carries}.`,
                  !isForReader && isOrganizationWide && 'It comes from every project of the organization.',
                ]
                  .filter(Boolean)
                  .join(' ')}
                checked={chosen.includes(name)}
                onChange={({ currentTarget }) => change([name], currentTarget.checked)}
              />
            ))}
          </Stack>
        </Disclosure>
      </div>
    </div>
  )
}
