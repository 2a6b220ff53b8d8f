import { segmentOf } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { ChangeList } from '../../../ui/changes/change-list.tsx'
import { webDifferenceWords } from '../../../ui/changes/web-difference-words.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { useStaged } from '../experiments/web-staged.ts'
import type { Design } from './design.ts'
import { namesOf } from './names.ts'

/** What of this variation differs from what visitors get. The service computes it. */
export function UnpublishedHere({ design }: { design: Design }) {
  const { experiment, variation, canEdit } = design
  const { params } = usePlace()
  const { data } = useStaged(experiment)
  const prefix = `variations.${variation.key}.`
  const changes = data?.content.changes.filter(({ path }) => path.startsWith(prefix)) ?? []
  if (changes.length === 0) return null
  const names = namesOf(design)
  return (
    <Section title="Not published yet" description="Visitors get this with the next publish.">
      <ChangeList label="Not published yet" changes={changes} wordsOf={(change) => webDifferenceWords(change, names)} />
      {canEdit && (
        <TextLink
          to="/$org/$project/experiments/$experiment"
          params={{ ...params, experiment: segmentOf(experiment) }}
          search={{ panel: 'publish' }}
          size="sm"
        >
          Review and publish
        </TextLink>
      )}
    </Section>
  )
}
