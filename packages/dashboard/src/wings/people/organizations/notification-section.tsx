import { Radio, Text, Textarea } from '@mantine/core'
import type { Data } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { Choices } from '../../../ui/choices.tsx'
import { ApiForm, useForm } from '../../../ui/form.tsx'
import { Section } from '../../../ui/section.tsx'
import { onlyIf, refresh, type Versioned } from '../../../versioned.ts'
import { filterInWords, keywordsIn } from './keywords.ts'
import { settingsPath } from './settings.ts'

type Settings = Data<'/api/dashboard/organization', 'get'>
type Mode = 'ALL' | 'INCLUDE' | 'EXCLUDE'

const modes: { value: Mode; label: string; description: string }[] = [
  { value: 'ALL', label: 'Everything', description: 'Every event reaches the webhooks that are subscribed to it.' },
  {
    value: 'INCLUDE',
    label: 'Only what mentions one of the words',
    description: 'Events about flags, rules, environments and so on whose name or key contains one of them.',
  },
  {
    value: 'EXCLUDE',
    label: 'All but what mentions one of the words',
    description: 'Events about things whose name or key contains one of them are left out.',
  },
]

interface NotificationSectionProps {
  settings: Versioned<Settings>
  isFixed: boolean
  reload: () => void
}

/** Which events reach webhooks, by words in names and keys. */
export function NotificationSection(props: NotificationSectionProps) {
  return (
    <Section
      title="Notifications"
      description="A filter over all webhooks of the organization. Safety events, such as a webhook that was disabled, always pass."
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
  const client = useQueryClient()
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
    done: async () => {
      await refresh(client, settingsPath)
      announce('The filter is saved.')
    },
  })
  return (
    <ApiForm form={form} verb="Save the filter" reload={reload}>
      <Choices legend="Which events reach webhooks">
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
          description="One on each line, up to 50. Capital letters make no difference."
          rows={4}
          maw={480}
          spellCheck={false}
        />
      )}
    </ApiForm>
  )
}
