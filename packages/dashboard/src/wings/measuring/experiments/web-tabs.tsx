import { useParams } from '@tanstack/react-router'
import { segmentOf } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import type { Experiment } from './experiment.ts'

interface WebTabsProps {
  experiment: Pick<Experiment, 'shortId' | 'name' | 'variations' | 'baselineVariationKey'>
  /** The variation of the page. Default: the first one besides the baseline. */
  variation?: string
}

/** The pages of a web experiment. */
export function WebTabs({ experiment, variation }: WebTabsProps) {
  const { params } = usePlace()
  // The tab that is open is the one of this address, in which the words after the number can differ or be missing.
  const { experiment: here = segmentOf(experiment) } = useParams({ strict: false }) as { experiment?: string }
  const at = { ...params, experiment: here }
  return (
    <PageTabs label={experiment.name}>
      <TextLink
        to="/$org/$project/experiments/$experiment"
        params={at}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        Overview
      </TextLink>
      <TextLink
        to="/$org/$project/experiments/$experiment/design/$variation"
        params={{ ...at, variation: variation ?? firstDesigned(experiment) }}
        activeOptions={{ includeSearch: false }}
      >
        Design
      </TextLink>
      <TextLink to="/$org/$project/experiments/$experiment/targeting" params={at}>
        Targeting
      </TextLink>
    </PageTabs>
  )
}

/** The key of the variation whose design opens first: the baseline usually has none. */
export const firstDesigned = ({
  variations,
  baselineVariationKey,
}: Pick<Experiment, 'variations' | 'baselineVariationKey'>): string =>
  variations.find(({ key }) => key !== baselineVariationKey)?.key ?? baselineVariationKey
