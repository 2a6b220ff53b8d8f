import { useQuery } from '@tanstack/react-query'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { changeWords } from '../../../ui/changes/change-words.ts'
import { Changed } from '../../../ui/changes/changing.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { useReviewWords } from '../publishing/review-words.ts'
import { changeNames } from '../publishing/staged.ts'
import { stagedQuery } from '../publishing/staged-query.ts'
import { draftLines } from './revision-words.ts'
import classes from './revisions.module.css'

const shownMax = 5

interface UnpublishedProps {
  environment: Environment
  flagKey: string | undefined
  by: string | undefined
}

/** What is drafted and not published yet: it comes before everything that was published. */
export function Unpublished({ environment, flagKey, by }: UnpublishedProps) {
  const { project, params } = usePlace()
  const { data: index } = useProjectIndex()
  const mayRead = useMay('flags:read')
  const reviewWords = useReviewWords()
  const { data } = useQuery({
    ...stagedQuery(project.id, environment.id),
    enabled: mayRead && project.type !== 'WEB',
  })
  const flags = data?.content.flags ?? []
  const lines = draftLines(flags, { flagKey, by })
  if (lines.length === 0) return null
  const names = changeNames({ flags }, index)
  return (
    <Notice
      tone="unpublished"
      title={counted(lines.length, 'unpublished change')}
      actions={
        <ButtonLink
          variant="default"
          to="/$org/$project/environments/$environment/publish"
          params={{ ...params, environment: environment.key }}
          search={flagKey === undefined ? {} : { flags: flagKey }}
        >
          {reviewWords}
        </ButtonLink>
      }
    >
      <ul className={classes.told}>
        {lines.slice(0, shownMax).map(({ flag, change }) => (
          <li key={`${flag.flagId} ${change.path}`}>
            {flag.key !== flagKey && `${flag.name}: `}
            <Changed words={changeWords(change, names)} /> {change.by && `by ${change.by.name}, `}
            {change.at && <Time time={change.at} />}
          </li>
        ))}
        {lines.length > shownMax && <li>And {counted(lines.length - shownMax, 'more change')}</li>}
      </ul>
    </Notice>
  )
}
