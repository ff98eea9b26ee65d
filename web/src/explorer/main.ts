// SPDX-License-Identifier: MIT
//
// The explorer: its views in the order of the navigation; the first is the one that an empty address shows.
import '../page/page.css';
import '../page/plot.css';
import { anyView, Pages } from '../page/view';
import { rooflineView } from './roofline/view';

new Pages([anyView(rooflineView)]);
