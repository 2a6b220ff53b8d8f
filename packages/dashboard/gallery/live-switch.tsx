import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { LiveSwitch, type SwitchAction } from '../src/ui/status/live-switch.tsx'
import { Propagation } from '../src/ui/status/propagation.tsx'
import type { PropagationState } from '../src/ui/status/propagation-words.ts'
import { Specimen } from './gallery.tsx'

const states: PropagationState[] = [
  { kind: 'sent' },
  { kind: 'spreading', has: 3, of: 12 },
  { kind: 'complete', of: 12, tookMs: 412 },
  { kind: 'late', has: 11, of: 12, behind: [{ client: 'web-7f3', seconds: 12 }], silent: 1 },
  { kind: 'nobody', environment: 'Production' },
  { kind: 'unsure' },
]

const consequence = {
  run: 'Visitors get what 3 rules say. 2 unpublished changes stay unpublished.',
  pause: (
    <>
      Every visitor gets <b>off</b>. 2 rules stop serving.
    </>
  ),
}

function Example({ asks = false, ...props }: { label: string; asks?: boolean; locked?: string; isPending?: boolean }) {
  const [isRunning, setIsRunning] = useState(true)
  const [asked, setAsked] = useState<SwitchAction>()
  return (
    <LiveSwitch
      {...props}
      withWord
      asks={asks}
      isRunning={isRunning}
      asked={asked}
      onAsk={setAsked}
      onSwitch={(action) => setIsRunning(action === 'run')}
      consequence={consequence}
    />
  )
}

export default function LiveSwitchPage() {
  return (
    <>
      <Specimen title="At once">
        <Example label="One-page checkout in Staging" />
      </Specimen>
      <Specimen title="Asks first">
        <Example label="One-page checkout in Production" asks />
      </Specimen>
      <Specimen title="Pending and locked">
        <Stack gap="sm">
          <Example label="Price test in Staging" isPending />
          <Example label="Search in Staging" locked="Viewers can look, but not switch." />
        </Stack>
      </Specimen>
      <Specimen title="Refused">
        <LiveSwitch
          label="Legacy cart in Production"
          withWord
          isRunning={false}
          onSwitch={() => {}}
          onAsk={() => {}}
          consequence={consequence}
          refusal={
            <>
              Runs by itself on 1 December, 09:00.
              <Button size="compact-sm">Run now, cancel the schedule</Button>
              <Button size="compact-sm" variant="default">
                Keep
              </Button>
            </>
          }
        />
      </Specimen>
      <Specimen title="Propagation">
        <Stack gap="xs" align="flex-start">
          {states.map((state) => (
            <Propagation key={state.kind} state={state} />
          ))}
        </Stack>
      </Specimen>
    </>
  )
}
