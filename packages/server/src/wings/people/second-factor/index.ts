export { type Proof, proveSecondFactor, type SecondFactorContext } from './actions.ts'
export { countSealedFactors } from './queries.ts'
export { secondFactorRoutes } from './routes.ts'
