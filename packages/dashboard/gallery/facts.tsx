import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeSnippet } from '../src/ui/code/code-snippet.tsx'
import { JsonView } from '../src/ui/code/json-view.tsx'
import { DangerDialog } from '../src/ui/dialog/danger-dialog.tsx'
import { EntityLink } from '../src/ui/names/entity-link.tsx'
import { Person } from '../src/ui/names/person.tsx'
import { Time } from '../src/ui/time/time.tsx'
import { Specimen } from './gallery.tsx'
import { hostile } from './samples.ts'

const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()

export default function Facts() {
  return (
    <>
      <Specimen title="Person">
        <Group gap="md">
          <Person name="Ada Lovelace" isMe />
          <Person name="ci" type="token" />
          <Person name="Schedule" type="system" />
          <Person name={hostile.rightToLeft} />
          <Person name={hostile.long} />
        </Group>
      </Specimen>
      <Specimen title="Time">
        <Group gap="md">
          <Time time={anHourAgo} isStop />
          <Time time={anHourAgo} isShort />
          <Time time={null} />
        </Group>
      </Specimen>
      <Specimen title="Entity">
        <Text size="sm" component="div">
          <EntityLink kind="rule" entity={{ state: 'here', name: 'Beta users in Benelux', to: '/' }} />,{' '}
          <EntityLink kind="rule" entity={{ state: 'deleted', name: hostile.markup }} />,{' '}
          <EntityLink kind="audience" entity={{ state: 'deleted' }} />,{' '}
          <EntityLink kind="project" entity={{ state: 'hidden' }} />, <EntityLink kind="flag" entity={undefined} />
        </Text>
      </Specimen>
      <Code />
      <Json />
      <Danger />
    </>
  )
}

function Code() {
  return (
    <Specimen title="Code">
      <Stack gap="md">
        <CodeSnippet
          label="Connect"
          snippets={[
            {
              language: 'Node',
              code: [
                "import { createClient } from '@svc/sdk'",
                "const client = createClient({ sdkKey: 'sdk_lO0amei2…', baseUrl: 'https://svc.acme.example' })",
                "client.on('change', () => console.log(client.getBoolean('hello', false, { targetingKey: 'u-17' })))",
              ].join('\n'),
            },
            { language: 'Browser', code: '<script type="module" src="/app.js"></script>' },
            { language: 'curl', code: 'curl https://svc.acme.example/api/sdk/v1/datafile/sdk_lO0amei2.json' },
          ]}
        />
        <CodeSnippet
          label="Create a flag"
          snippets={[{ language: 'Shell', code: 'svc flag create one-page-checkout' }]}
        />
      </Stack>
    </Specimen>
  )
}

function Json() {
  return (
    <Specimen title="JSON">
      <JsonView
        label="Request"
        value={{
          event: 'flag.published',
          flag: { key: 'one-page-checkout', tags: ['checkout', hostile.emoji] },
          changes: [{ path: 'defaultVariationKey', from: 'off', to: 'on', note: null, deep: { a: { b: [1, 2] } } }],
          text: hostile.markup,
          none: [],
        }}
      />
    </Specimen>
  )
}

function Danger() {
  const [dialog, setDialog] = useState<'free' | 'blocked'>()
  return (
    <Specimen title="Danger">
      <Group gap="xs">
        <Button color="red" onClick={() => setDialog('free')}>
          Delete flag
        </Button>
        <Button color="red" onClick={() => setDialog('blocked')}>
          Delete audience
        </Button>
      </Group>
      {dialog && (
        <DangerDialog
          title={dialog === 'free' ? 'Delete One-page checkout' : 'Delete Beta users'}
          verb="Delete"
          typed="one-page-checkout"
          {...(dialog === 'blocked' && {
            references: [
              { key: '1', link: <EntityLink kind="rule" entity={{ state: 'here', name: 'Benelux', to: '/' }} /> },
              { key: '2', link: <EntityLink kind="rule" entity={{ state: 'here', name: hostile.long, to: '/' }} /> },
            ],
          })}
          act={() => Promise.resolve()}
          onClose={() => setDialog(undefined)}
        >
          The flag, its rules and its history are deleted in all 3 environments. Clients get the value in their code.
        </DangerDialog>
      )}
    </Specimen>
  )
}
