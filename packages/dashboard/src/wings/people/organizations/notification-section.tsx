import { Radio, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { ListField } from '../../../ui/form/list-field.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { FilterPreview } from './filter-preview.tsx'
import { filterInWords } from './filter-words.ts'
import classes from './notification-section.module.css'
import { readSettings, settingsPath } from './settings.ts'

type Settings = Data<'/api/dashboard/organization', 'get'>
type Mode = 'ALL' | 'INCLUDE' | 'EXCLUDE'

const modes: { value: Mode; label: string; description: string }[] = [
  {
    value: 'ALL',
    label: 'Every event',
    description: 'Webhooks and destinations receive every event that they subscribe to.',
  },
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
}

/** Limits the events that webhooks and destinations receive, by words in names and keys. */
export function NotificationSection(props: NotificationSectionProps) {
  return (
    <Section
      title="Notifications"
      description="A filter for all webhooks and destinations of the organization. Safety events, such as a disabled webhook, always pass."
    >
      {props.isFixed ? (
        <Text size="sm">{filterInWords(props.settings.content.notifications)}</Text>
      ) : (
        <FilterForm settings={props.settings} />
      )}
    </Section>
  )
}

/** The name of the field in the body, so that a refusal appears at it. */
const words = 'notifications.keywords'
type Values = { mode: Mode; [words]: string[] }

const valuesOf = ({ content: { notifications }, etag }: Versioned<Settings>): Versioned<Values> => ({
  content: { mode: notifications?.mode ?? 'ALL', [words]: notifications?.keywords ?? [] },
  etag,
})

const filterOf = ({ mode, [words]: keywords }: Values): Settings['notifications'] =>
  mode === 'ALL' ? null : { mode, keywords }

function FilterForm({ settings }: { settings: Versioned<Settings> }) {
  const done = useDone()
  const changed = useChangedBy('organization', settings.content.id)
  const { form, dialog } = useEditForm<Values, unknown>({
    object: `notifications:${settings.content.id}`,
    base: valuesOf(settings),
    rules: {
      [words]: (keywords, { mode }) =>
        mode !== 'ALL' && keywords.length === 0 ? 'Enter at least one word.' : undefined,
    },
    read: async () => valuesOf(await readSettings()),
    write: (values, etag) =>
      api.PATCH(settingsPath, { params: { header: onlyIf(etag) }, body: { notifications: filterOf(values) } }),
    done: () => done('Filter saved.', settingsPath),
    changed,
    labels: { mode: 'Which events pass', [words]: 'The words' },
    shown: (_field, value) => modes.find((mode) => mode.value === value)?.label,
  })
  const { mode, [words]: keywords } = form.values
  const error = form.error(words)
  return (
    <div className={classes.columns}>
      <ApiForm form={form} verb="Save filter" isSecondary>
        <Choices legend="Events that webhooks and destinations receive">
          {modes.map(({ value, label, description }) => (
            <Radio
              key={value}
              name="mode"
              label={label}
              description={description}
              checked={mode === value}
              onChange={() => form.set('mode', value)}
            />
          ))}
        </Choices>
        {mode !== 'ALL' && (
          <div>
            <Text size="sm" fw={600}>
              Words
            </Text>
            <Text size="xs" c="dimmed" mb={4}>
              Press Enter after each, up to 50. Case is ignored.
            </Text>
            <ListField
              label="Words"
              values={keywords}
              onChange={(next) => form.set(words, next)}
              isInvalid={error !== undefined}
              placeholder="sandbox"
            />
            {error && (
              <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
                {error}
              </Text>
            )}
          </div>
        )}
      </ApiForm>
      <FilterPreview filter={mode !== 'ALL' && keywords.length === 0 ? undefined : filterOf(form.values)} />
      {dialog}
    </div>
  )
}
