import { Checkbox, NativeSelect, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, useForm } from '../../../ui/form/form.tsx'
import { wasOvertaken } from '../../../ui/form/overtaken.ts'
import { Notice } from '../../../ui/notice/notice.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { refreshFlag } from '../../flags/flags/flag-queries.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { type Experiment, listPath, onePath, readExperiment } from './experiment.ts'
import { winnerWords } from './experiment-words.ts'
import { anybody, newsOf, useOther } from './overtaken.ts'

interface DeclareWinnerProps {
  experiment: Versioned<Experiment>
  /** The environment. */
  place: string
  /** The results do not advise it. */
  isWarned: boolean
  onClose: () => void
}

/** A person names the variation that won. It can take the place of the test at once. */
export function DeclareWinner(props: DeclareWinnerProps) {
  return (
    <Dialog title={`Declare the winner of ${props.experiment.content.name}`} onClose={props.onClose}>
      <WinnerForm {...props} />
    </Dialog>
  )
}

function WinnerForm(props: DeclareWinnerProps) {
  const { experiment, place, isWarned } = props
  const { form, opened, base } = useWinnerForm(props)
  const who = useOther(opened) ?? anybody
  const { variations, winner } = opened
  const { variationKey, rollOut } = form.values
  const isKnown = experiment.etag === base.etag
  const consequence = opened.flagId === null ? winnerWords.webConsequence : winnerWords.consequence
  return (
    <ApiForm
      form={form}
      verb="Declare winner"
      refusal={
        wasOvertaken(form.failure) && (
          <ChangedMeanwhile who={who} says="at once">
            <News items={newsOf(opened, base.content)} />
            Nothing was declared, and what you chose is kept. If you still agree, declare the winner again.
          </ChangedMeanwhile>
        )
      }
    >
      {!isKnown && !form.failure && (
        <ChangedMeanwhile who={who} says="politely">
          <News items={newsOf(opened, experiment.content)} />
          What you chose is kept.
        </ChangedMeanwhile>
      )}
      {isWarned && !winner && (
        <Notice tone="warning" title="The results do not show a winner">
          What you choose now is your decision. The figures stay as they are.
        </Notice>
      )}
      <NativeSelect
        {...form.field('variationKey')}
        {...first}
        label="Winner"
        data={variations.map(({ key, name }) => ({ value: key, label: name }))}
      />
      <Checkbox
        label={`Give it to everyone in the audience in ${place}`}
        checked={rollOut}
        error={form.error('rollOut')}
        onChange={(event) => form.set('rollOut', event.currentTarget.checked)}
      />
      <Textarea
        {...form.field('comment')}
        label="Comment (optional)"
        description="Why it won, for those who ask."
        autosize
      />
      <Text size="sm">{consequence({ winner: nameIn(opened, variationKey), place, rollOut })}</Text>
    </ApiForm>
  )
}

function useWinnerForm({ experiment, onClose }: DeclareWinnerProps) {
  const client = useQueryClient()
  const done = useDone()
  // What the person decides on. The page behind reads each change at once; this one is read again after a refusal.
  const [{ content: opened }] = useState(experiment)
  const [base, setBase] = useState(experiment)
  const { variations, winner, baselineVariationKey } = opened
  const treatment = variations.find(({ key }) => key !== baselineVariationKey)
  const form = useForm({
    initial: {
      variationKey: winner?.variationKey ?? treatment?.key ?? '',
      rollOut: winner === null,
      comment: winner?.comment ?? '',
    },
    send: async ({ comment, ...chosen }) => {
      const path = { projectId: opened.projectId, experimentId: opened.id }
      const header = { ...onlyOnce(), ...onlyIf(base.etag) }
      const body = { ...chosen, comment: comment.trim() || null }
      try {
        await api.POST(`${onePath}/winner`, { params: { path, header }, body })
      } catch (error) {
        if (wasOvertaken(error)) setBase(await readExperiment(opened.projectId, opened.id))
        throw error
      }
    },
    done: async (_answer, { variationKey, rollOut }) => {
      onClose()
      await refreshFlag(client)
      await done(winnerWords.past(nameIn(opened, variationKey), rollOut), listPath, onePath)
    },
  })
  return { form, opened, base }
}

const nameIn = ({ variations }: Experiment, wanted: string): string =>
  variations.find(({ key }) => key === wanted)?.name ?? wanted

const News = ({ items }: { items: string[] }) => items.map((item) => <div key={item}>{item}</div>)
