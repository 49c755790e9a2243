tourney verify ../exchange/exchange_unsafe.goal
