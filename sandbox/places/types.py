"""The place types that a search may be narrowed to."""

from __future__ import annotations

# From the provider's first table of types. Its second table (establishment, health, food, …) only appears in answers.
_NAMES = """
    car_dealer car_rental car_repair car_wash electric_vehicle_charging_station gas_station parking rest_stop
    corporate_office farm ranch art_gallery museum performing_arts_theater library preschool primary_school
    school secondary_school university amusement_park aquarium banquet_hall bowling_alley casino
    community_center convention_center cultural_center dog_park event_venue hiking_area historical_landmark
    marina movie_theater national_park night_club park tourist_attraction visitor_center wedding_venue zoo
    accounting atm bank american_restaurant bakery bar barbecue_restaurant brazilian_restaurant
    breakfast_restaurant brunch_restaurant cafe chinese_restaurant coffee_shop fast_food_restaurant
    french_restaurant greek_restaurant hamburger_restaurant ice_cream_shop indian_restaurant italian_restaurant
    japanese_restaurant korean_restaurant meal_delivery meal_takeaway mexican_restaurant pizza_restaurant
    ramen_restaurant restaurant sandwich_shop seafood_restaurant spanish_restaurant steak_house sushi_restaurant
    thai_restaurant turkish_restaurant vegan_restaurant vegetarian_restaurant vietnamese_restaurant city_hall
    courthouse embassy fire_station local_government_office police post_office chiropractor dental_clinic
    dentist doctor drugstore hospital massage medical_lab pharmacy physiotherapist sauna skin_care_clinic spa
    tanning_studio wellness_center yoga_studio bed_and_breakfast campground guest_house hostel hotel lodging
    motel resort_hotel church hindu_temple mosque synagogue barber_shop beautician beauty_salon body_art_service
    catering_service cemetery child_care_agency consultant courier_service electrician florist food_delivery
    foot_care funeral_home hair_care hair_salon insurance_agency laundry lawyer locksmith makeup_artist
    moving_company nail_salon painter plumber psychic real_estate_agency roofing_contractor storage
    summer_camp_organizer tailor telecommunications_service_provider tour_agency travel_agency veterinary_care
    asian_grocery_store auto_parts_store bicycle_store book_store butcher_shop cell_phone_store clothing_store
    convenience_store department_store discount_store electronics_store food_store furniture_store gift_shop
    grocery_store hardware_store home_goods_store home_improvement_store jewelry_store liquor_store market
    pet_store shoe_store shopping_mall sporting_goods_store store supermarket warehouse_store wholesaler
    fitness_center golf_course gym playground ski_resort sports_club sports_complex stadium swimming_pool
    airport bus_station bus_stop ferry_terminal subway_station taxi_stand train_station
"""
SEARCHABLE_TYPES = frozenset(_NAMES.split())
