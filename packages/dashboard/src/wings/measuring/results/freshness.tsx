import { Button, Text } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { dayOf, type Results } from './figures.ts'
import classes from './results.module.css'
import type { useResults } from './results-query.ts'

interface FreshnessProps extends Pick<ReturnType<typeof useResults>, 'renew' | 'isRenewing' | 'exporting'> {
  results: Results
  /** The dimension that is shown: the file has its values. */
  dimension: string
  /** Ways to show the results to others. */
  share: ReactNode
}

/** Until when the figures have data, with buttons that compute them again and download them. */
export function Freshness({ results, renew, isRenewing, exporting, dimension, share }: FreshnessProps) {
  return (
    <>
      <div className={classes.meta}>
        <Text size="sm" c="dimmed" component="span">
          {results.dataThrough === null ? (
            'Nothing has been computed yet. Results are computed every hour.'
          ) : (
            <>
              Data up to <Time time={results.dataThrough} isStop />
              <span className={classes.onPaper}> ({dayOf(results.dataThrough)}, UTC)</span>
              {results.ruleStatus === 'PAUSED' && '. The test is paused, so new visitors are not counted'}
            </>
          )}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={isRenewing}
          onClick={() => renew.mutate()}
        >
          Refresh
        </Button>
        {results.dataThrough !== null && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} aria-hidden />}
            loading={exporting.isPending}
            onClick={() => exporting.mutate(dimension)}
          >
            {dimension === '' ? 'Export CSV' : `Export CSV by ${dimension}`}
          </Button>
        )}
        {results.dataThrough !== null && share}
        <Text size="sm" c="dimmed" component="span" role="status">
          {isRenewing &&
            `Computing, which can take a minute.${results.dataThrough === null ? '' : ' The figures shown are older.'}`}
        </Text>
      </div>
      <FailureNotice error={renew.error} title="The results were not computed" />
      <FailureNotice error={exporting.error} title="The results were not exported" />
    </>
  )
}
