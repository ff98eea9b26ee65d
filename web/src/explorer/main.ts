// SPDX-License-Identifier: MIT
//
// The explorer: its views in the order of the navigation; the first is the one that an empty address shows.
import '../page/page.css';
import '../page/plot.css';
import './ladder/ladder.css';
import './stepper/stepper.css';
import { anyView, Pages } from '../page/view';
import { boundView } from './bound/view';
import { ladderView } from './ladder/view';
import { rooflineView } from './roofline/view';
import { stepperView } from './stepper/view';

new Pages([anyView(rooflineView), anyView(stepperView), anyView(ladderView), anyView(boundView)]);
