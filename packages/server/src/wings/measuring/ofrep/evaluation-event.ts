import { type Failure, type FileOfAnswer, isFailure, type Success } from './answer.ts'

/** An evaluation in the words of OpenTelemetry. It contains neither the value nor the visitor. */
export function evaluationEvent(
  answer: Success | Failure,
  { envId, revision }: FileOfAnswer,
): [name: string, attributes: Record<string, string>] {
  const { key = '' } = answer
  const result = isFailure(answer)
    ? { 'feature_flag.result.reason': 'error', 'error.type': answer.errorCode.toLowerCase() }
    : {
        'feature_flag.result.variant': answer.variant,
        'feature_flag.result.reason': answer.reason.toLowerCase(),
      }
  return [
    'feature_flag.evaluation',
    {
      'feature_flag.key': key,
      'feature_flag.provider.name': 'svc',
      'feature_flag.set.id': envId,
      'feature_flag.version': String(revision),
      ...result,
    },
  ]
}
