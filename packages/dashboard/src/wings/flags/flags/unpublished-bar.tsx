import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import type { ListedChange } from '../../../ui/changes/change-list.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { MainAction } from '../../../ui/layout/page.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { useReviewWords } from '../publishing/review-words.ts'
import { latestAuthor } from '../rules/rule-rows.ts'
import { discard, isOfVariations } from './discard.ts'
import { pathOf, useTargeting } from './targeting-place.ts'
import { ViewChoice } from './view-choice.tsx'

// Folded at first.
const ChangeList = lazy(async () => ({ default: (await import('../../../ui/changes/change-list.tsx')).ChangeList }))

/** What is not live yet, by whom, and the way to publish it or to take it back. */
export function UnpublishedBar({ onView }: { onView: (view: 'live' | undefined) => void }) {
  const { flag, environment, inEnvironment, names, mayEdit, isLiveOnly } = useTargeting()
  const { params } = usePlace()
  const mayPublish = useMay('projects:write')
  const review = useReviewWords()
  const { takeBack, failure } = useTakeBack()
  const { changes } = inEnvironment
  const author = latestAuthor(changes)
  return (
    <>
      <Notice
        tone="unpublished"
        title={counted(changes.length, 'unpublished change')}
        actions={
          <>
            <MainAction>
              <ButtonLink
                to="/$org/$project/environments/$environment/publish"
                params={{ ...params, environment: environment.key }}
                search={{ flags: flag.key }}
                aria-keyshortcuts="Shift+P"
              >
                {review}
              </ButtonLink>
            </MainAction>
            {mayEdit && (
              <Button
                variant="default"
                aria-label={`Discard ${counted(changes.length, 'unpublished change')}`}
                onClick={() => void takeBack(changes, `${flag.name} matches its live version in ${environment.name}.`)}
              >
                Discard
              </Button>
            )}
            <ViewChoice label="What is shown" isLiveOnly={isLiveOnly} onView={onView} />
          </>
        }
      >
        {author && (
          <>
            by {author.name}, <Time time={author.at} />.{' '}
          </>
        )}
        Visitors get {changes.length === 1 ? 'it' : 'them'} with the next publish to {environment.name}.
        {!mayPublish && ' Owners and admins can publish.'}
      </Notice>
      <Disclosure summary="Show the changes">
        <Suspense>
          <ChangeList
            label={flag.name}
            changes={changes}
            names={names}
            {...(mayEdit && {
              onUndo: (change: ListedChange) => void takeBack([change], 'The change is undone.'),
            })}
            undoNote={({ path }: ListedChange) => (isOfVariations(path) ? 'in all environments' : undefined)}
          />
        </Suspense>
      </Disclosure>
      <FailureNotice error={failure} title="The change was not undone" />
    </>
  )
}

/** Takes changes out of the draft. The message can stage them again. */
function useTakeBack() {
  const place = useTargeting()
  const client = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  const takeBack = async (discarded: readonly ListedChange[], message: string) => {
    setFailure(undefined)
    try {
      const undo = await discard(
        client,
        pathOf(place),
        discarded.map(({ path }) => path),
      )
      announce(message, { undo })
    } catch (error) {
      setFailure(error)
    }
  }
  return { takeBack, failure }
}
