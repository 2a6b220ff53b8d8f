import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { indexPath, useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { useHolds } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { PercentField } from '../../../ui/form/percent-field.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { percent } from '../../../ui/words/percent.ts'
import { useDone } from '../../../versioned.ts'
import {
  flagOf,
  incrementalInWords,
  type Measurement,
  marginInWords,
  perVisitorInWords,
  verdictOf,
} from './measurement-words.ts'
import { type Placement, placementPath, placementsPath } from './placement.ts'

const measurePath = `${placementPath}/measure` as const
const usualShare = 500
const [leastShare, mostShare] = [100, 5000]

const scopes = ['recommendations:write', 'experiments:write', 'flags:write'] as const

/** What the list brings in money, by a test in which some visitors get no list. */
export function MeasureSection({ placement }: { placement: Placement }) {
  const holds = useHolds()
  const { data: index } = useProjectIndex()
  const [isAsking, setIsAsking] = useState(false)
  const { measurement, key } = placement
  const isMeasured = index?.flags?.some((flag) => flag.key === flagOf(key)) ?? false
  const mayMeasure = scopes.every((scope) => holds(scope))
  return (
    <Section
      title="Effect on revenue"
      description="Clicks say little, because a list moves them from elsewhere. What counts is the revenue compared with visitors who get no list."
      actions={
        mayMeasure && !isMeasured && !measurement && <Button onClick={() => setIsAsking(true)}>Measure it…</Button>
      }
    >
      {measurement ? (
        <Measured measurement={measurement} />
      ) : isMeasured ? (
        <Notice>
          The test runs. The interval appears here once both groups have enough visitors. <ToTest placementKey={key} />
        </Notice>
      ) : (
        <Text size="sm">Not measured yet.</Text>
      )}
      {isAsking && <MeasureDialog placement={placement} onClose={() => setIsAsking(false)} />}
    </Section>
  )
}

function ToTest({ placementKey }: { placementKey: string }) {
  const { params } = usePlace()
  return (
    <TextLink
      to="/$org/$project/flags/$flag/results"
      params={{ ...params, flag: flagOf(placementKey) }}
      underline="always"
    >
      See the test
    </TextLink>
  )
}

function Measured({ measurement }: { measurement: Measurement }) {
  const { tone, title } = verdictOf(measurement)
  return (
    <>
      <Notice tone={tone} title={title}>
        <Text size="sm">{incrementalInWords(measurement)}</Text>
        <Text size="sm">{perVisitorInWords(measurement)}</Text>
        <Text size="sm">{marginInWords(measurement)}</Text>
      </Notice>
      <Text size="sm" c="dimmed">
        Computed <Time time={measurement.asOf} />.{' '}
        <ToTest placementKey={measurement.flagKey.replace(/^recommend-/, '')} />
      </Text>
    </>
  )
}

function MeasureDialog({ placement, onClose }: { placement: Placement; onClose: () => void }) {
  const { project } = usePlace()
  const done = useDone()
  const [share, setShare] = useState(usualShare)
  const measure = async () => {
    const path = { projectId: project.id, placementId: placement.id }
    await api.POST(measurePath, { params: { path }, body: { controlShare: share } })
    await done('The test runs.', placementsPath, placementPath, indexPath)
  }
  return (
    <ConfirmDialog title={`Measure ${placement.name}?`} verb="Measure it" act={measure} onClose={onClose}>
      <PercentField
        label="Visitors without the list"
        value={share}
        onChange={setShare}
        least={leastShare}
        most={mostShare}
        description={`${percent(1)} to ${percent(50)}. More of them give an answer sooner.`}
      />
      <Text size="sm" mt="md">
        This makes the flag <code>{flagOf(placement.key)}</code> and an experiment in Production, and launches it at
        once. The other visitors keep getting the list. Revenue per visitor decides; the test can be paused like any
        other.
      </Text>
    </ConfirmDialog>
  )
}
