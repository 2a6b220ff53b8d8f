import { Radio, Text, Textarea } from '@mantine/core'
import type { Data } from '@svc/client'
import { api } from '../../../api.ts'
import { Choices } from '../../../ui/choices.tsx'
import { ApiForm, useForm } from '../../../ui/form.tsx'
import { Section } from '../../../ui/section.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { filterInWords, keywordsIn } from './keywords.ts'
import { settingsPath } from './settings.ts'

type Settings = Data<'/api/dashboard/organization', 'get'>
type Mode = 'ALL' | 'INCLUDE' | 'EXCLUDE'

const modes: { value: Mode; label: string; description: string }[] = [
  { value: 'ALL', label: 'Every event', description: 'Webhooks receive every event that they subscribe to.' },
  {
    value: 'INCLUDE',
    label: 'Only events with one of the words',
    description: 'Events about flags, rules, environments and so on whose name or key contains a word.',
  },
  {
    value: 'EXCLUDE',
    label: 'Every event except those with one of the words',
    description: 'Events about items whose name or key contains a word are left out.',
  },
]

interface NotificationSectionProps {
  settings: Versioned<Settings>
  isFixed: boolean
  reload: () => void
}

/** Limits the events that webhooks receive, by words in names and keys. */
export function NotificationSection(props: NotificationSectionProps) {
  return (
    <Section
      title="Notifications"
      description="A filter for all webhooks of the organization. Safety events, such as a disabled webhook, always pass."
    >
      {props.isFixed ? (
        <Text size="sm">{filterInWords(props.settings.content.notifications)}</Text>
      ) : (
        <FilterForm {...props} />
      )}
    </Section>
  )
}

function FilterForm({ settings: { content, etag }, reload }: NotificationSectionProps) {
  const done = useDone()
  const form = useForm({
    initial: {
      mode: (content.notifications?.mode ?? 'ALL') as Mode,
      'notifications.keywords': content.notifications?.keywords.join('\n') ?? '',
    },
    rules: {
      'notifications.keywords': (text, { mode }) =>
        mode !== 'ALL' && keywordsIn(text).length === 0 ? 'Enter at least one word.' : undefined,
    },
    send: ({ mode, 'notifications.keywords': text }) =>
      api.PATCH(settingsPath, {
        params: { header: onlyIf(etag) },
        body: { notifications: mode === 'ALL' ? null : { mode, keywords: keywordsIn(text) } },
      }),
    done: () => done('Filter saved.', settingsPath),
  })
  return (
    <ApiForm form={form} verb="Save filter" reload={reload}>
      <Choices legend="Events that webhooks receive">
        {modes.map(({ value, label, description }) => (
          <Radio
            key={value}
            name="mode"
            label={label}
            description={description}
            checked={form.values.mode === value}
            onChange={() => form.set('mode', value)}
          />
        ))}
      </Choices>
      {form.values.mode !== 'ALL' && (
        <Textarea
          {...form.field('notifications.keywords')}
          label="Words"
          description="One per line, up to 50. Case is ignored."
          rows={4}
          maw={480}
          spellCheck={false}
        />
      )}
    </ApiForm>
  )
}
